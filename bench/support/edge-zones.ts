import { dirname } from 'node:path'
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
  return deploy(sluice, zone, 'http_request_firewall_managed', {
    action: 'execute',
    expression: 'true',
    action_parameters: { id: owasp, overrides },
  })
}

export async function deploy(sluice: Instance, zone: string, phase: string, rule: object): Promise<void> {
  const path = `${zone}/rulesets/phases/${phase}/entrypoint`
  const answer = await api(sluice, 'PUT', path, { rules: [rule] })
  if (!answer.success) throw new Error(`a rule cannot be deployed: ${JSON.stringify(answer.errors)}`)
}

const itemsPerRequest = 20_000

/**
 * A list of `count` redirects for the host, `/old/0` and so on, and a rule of the account that uses it. A tenth of them
 * includes subdomains and subpaths, at depths up to ten segments.
 */
export async function redirectList(sluice: Instance, host: string, count: number): Promise<void> {
  const [account] = (await api(sluice, 'GET', '/accounts')).result
  const lists = `/accounts/${account.id}/rules/lists`
  const list = await api(sluice, 'POST', lists, { kind: 'redirect', name: 'moved' })
  const items = Array.from({ length: count }, (_, at) => {
    const target_url = `https://new.test/articles/${at}`
    if (at % 10 > 0) return { redirect: { source_url: `${host}/old/${at}`, target_url } }
    const source_url = `${host}/below${'/x'.repeat((at / 10) % 10)}/${at}`
    return { redirect: { source_url, target_url, include_subdomains: true, subpath_matching: true } }
  })
  for (let at = 0; at < count; at += itemsPerRequest)
    await addItems(sluice, `${lists}/${list.result.id}`, items.slice(at, at + itemsPerRequest))
  await deploy(sluice, `/accounts/${account.id}`, 'http_request_redirect', {
    action: 'redirect',
    expression: `ends_with(http.host, "${host}")`,
    action_parameters: { from_list: { name: 'moved', key: 'http.request.full_uri' } },
  })
}

async function addItems(sluice: Instance, list: string, items: readonly object[]): Promise<void> {
  const { result, errors } = await api(sluice, 'POST', `${list}/items`, items)
  if (result === null) throw new Error(`no items were added: ${JSON.stringify(errors)}`)
  for (;;) {
    const operation = (await api(sluice, 'GET', `${dirname(list)}/bulk_operations/${result.operation_id}`))
      .result
    if (operation.status === 'completed') return
    if (operation.status === 'failed') throw new Error(operation.error)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}
