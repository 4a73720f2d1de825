import { bodyVariables, xmlVariables } from './body-variables.ts'
import { requestVariables } from './request-variables.ts'
import { responseVariables } from './response-variables.ts'
import type { Freshness, Variable } from './state.ts'
import { stateVariables } from './state-variables.ts'

const slots = new Map<Freshness, number>()

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
  }).map(([key, declaration]) => {
    const name = key.startsWith('XML:') ? 'XML' : key
    const slot = slots.get(declaration.freshness) ?? 0
    slots.set(declaration.freshness, slot + 1)
    return [key, { ...declaration, name, slot }]
  }),
)
