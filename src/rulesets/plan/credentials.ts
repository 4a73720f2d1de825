import type { JsonObject, Phase } from '../../model/resource.ts'
import type { ZoneSettings } from '../../model/zone-settings.ts'
import { commonCredentials } from '../fields/credentials.ts'
import type { RequestView } from '../fields/request-view.ts'
import { PlanSource } from './expression-compiler.ts'
import type { CredentialLocation, PlanInput } from './plan.ts'
import { textOf } from './text-values.ts'

/** Custom detection locations before the usual ones; none when the check is off. */
export function credentialLocations(
  { leakedCredentialChecks, credentialDetections }: ZoneSettings,
  { lists }: Pick<PlanInput, 'lists'>,
): readonly CredentialLocation[] {
  if (!leakedCredentialChecks) return []
  const own = credentialDetections.map(({ username, password }) =>
    located(username, password, detectionPhase, new PlanSource(lists)),
  )
  return [...own, commonCredentials]
}

/** Expressions of detection locations see what custom rules see. */
const detectionPhase: Phase = 'http_request_firewall_custom'

/** Where the `exposed_credential_check` of a stored rule finds credentials. */
export function exposedLocation(check: JsonObject, phase: Phase, source: PlanSource): CredentialLocation {
  return located(
    check['username_expression'] as string,
    check['password_expression'] as string,
    phase,
    source,
  )
}

function located(
  username: string | undefined,
  password: string | undefined,
  phase: Phase,
  source: PlanSource,
): CredentialLocation {
  const read = (expression: string | undefined) =>
    expression === undefined ? () => undefined : textOf({ expression }, { phase, use: 'filter' }, source)
  const [usernameOf, passwordOf] = [read(username), read(password)]
  return view => {
    const found = { username: usernameOf(view) ?? '', password: passwordOf(view) ?? '' }
    return found.username === '' && found.password === '' ? undefined : found
  }
}

/** Whether the credentials at a location have a password that is known to have leaked. */
export function areExposed(location: CredentialLocation, view: RequestView): boolean {
  const found = location(view)
  return found !== undefined && found.username !== '' && view.credentials?.leaked.get(found.password) === true
}
