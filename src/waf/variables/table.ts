import { bodyVariables, xmlVariables } from './body-variables.ts'
import { requestVariables } from './request-variables.ts'
import { responseVariables } from './response-variables.ts'
import type { Variable } from './state.ts'
import { stateVariables } from './state-variables.ts'

/**
 * Every variable by its name in upper case. XML is here as `XML:/*` and `XML://@*`.
 * Source: ModSecurity reference manual, "Variables"; meanings as in ModSecurity 2 behind Apache.
 */
export const variables: ReadonlyMap<string, Variable> = new Map(
  Object.entries({
    ...requestVariables,
    ...bodyVariables,
    ...xmlVariables,
    ...responseVariables,
    ...stateVariables,
  }).map(([key, declaration], slot) => {
    const name = key.startsWith('XML:') ? 'XML' : key
    return [key, { ...declaration, name, slot }]
  }),
)
