import { api, type Instance } from '../../test/support/sluice.ts'

const owasp = '4814384a9e5d4991b9815dcfc25d2f1f'
const lastRule = '6179ae15870a4bb7b2d480d4843b323c'

/** @returns its path in the API */
export async function makeZone(sluice: Instance, name: string, originPort: number): Promise<string> {
  const [account] = (await api(sluice, 'GET', '/accounts')).result
  const zone = await api(sluice, 'POST', '/zones', {
    name,
    account: { id: account.id },
    origin: { url: `http://127.0.0.1:${originPort}` },
  })
  return `/zones/${zone.result.id}`
}

/** The OWASP ruleset, up to that paranoia level. */
export function protect(sluice: Instance, zone: string, level: number, threshold: number): Promise<void> {
  const off = [2, 3, 4].filter(other => other > level)
  const overrides = {
    ...(off.length > 0 && {
      categories: off.map(other => ({ category: `paranoia-level-${other}`, enabled: false })),
    }),
    rules: [{ id: lastRule, score_threshold: threshold }],
  }
  return deploy(sluice, zone, 'managed', {
    action: 'execute',
    expression: 'true',
    action_parameters: { id: owasp, overrides },
  })
}

export async function deploy(
  sluice: Instance,
  zone: string,
  phase: 'custom' | 'managed',
  rule: object,
): Promise<void> {
  const path = `${zone}/rulesets/phases/http_request_firewall_${phase}/entrypoint`
  const answer = await api(sluice, 'PUT', path, { rules: [rule] })
  if (!answer.success) throw new Error(`a rule cannot be deployed: ${JSON.stringify(answer.errors)}`)
}
