import { defaultRedaction } from '../../model/redaction.ts'
import type { Redaction } from '../../model/resource.ts'
import { credentialParameters } from './credential-parameters.ts'

/** The compiled redaction of a zone's records. */
export interface PlanRedaction {
  readonly authorization: boolean
  readonly cookies: boolean
  readonly cardNumbers: boolean
  /**
   * Query parameters whose values are redacted: names in lower case. Well-known names are stored without `-` and `_`,
   * so that `api_key` and `api-key` both match `apikey`. Undefined when there are none.
   */
  readonly parameters: ReadonlySet<string> | undefined
}

/** Zones with the default share one object. */
export function redactionOf(redaction: Redaction | undefined): PlanRedaction {
  return redaction === undefined ? byDefault : compiled(redaction)
}

function compiled(redaction: Redaction): PlanRedaction {
  const { authorization, cookies, cardNumbers } = redaction
  return { authorization, cookies, cardNumbers, parameters: parametersOf(redaction) }
}

function parametersOf({ queryCredentials, queryParameters }: Redaction): ReadonlySet<string> | undefined {
  if (queryParameters.length === 0) return queryCredentials ? credentialParameters : undefined
  const own = queryParameters.map(name => name.toLowerCase())
  return new Set(queryCredentials ? [...credentialParameters, ...own] : own)
}

const byDefault = compiled(defaultRedaction)
