import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import Cloudflare from 'cloudflare'
import { frontSettings, startFronts } from '../support/fronts.ts'
import { api, discard, startSluice, testCrs } from '../support/sluice.ts'

/** The tracer of a running Sluice says what every front then does (`test/support/fronts.ts`). */
const skip = existsSync(testCrs) ? false : 'needs an OWASP CRS release, and none was found'

const targets = [
  '/',
  '/?id=1%27%20UNION%20SELECT%20name,password%20FROM%20users--',
  '/?file=../../../../etc/passwd',
  '/?q=%3Cscript%3Ealert(1)%3C/script%3E',
  '/blocked',
]

test('traces and requests come to the same', { skip, timeout: 120_000 }, async t => {
  const settings = await frontSettings()
  const sluice = await startSluice({ settings: { ...settings, SLUICE_CRS: testCrs, SLUICE_WORKERS: '2' } })
  t.after(() => discard(sluice))
  const [zone] = (await api(sluice, 'GET', '/zones?name=localhost')).result
  const client = new Cloudflare({
    baseURL: sluice.apiUrl,
    apiToken: sluice.token,
    apiEmail: null,
    apiKey: null,
    maxRetries: 0,
  })
  const fronts = await startFronts(sluice, settings, { host: 'localhost', origin: zone.origin.url })
  t.after(() => fronts.close())
  const headers = { 'user-agent': 'tracer test', accept: '*/*' }
  const trace = (target: string) =>
    client.requestTracers.traces.create({
      account_id: zone.account.id,
      method: 'GET',
      url: `http://localhost${target}`,
      headers,
      skip_response: true,
    })

  const entry = `/zones/${zone.id}/rulesets/phases/http_request_firewall_custom/entrypoint`
  assert.equal((await trace('/blocked')).status_code, undefined)
  await api(sluice, 'PUT', entry, {
    rules: [{ action: 'block', expression: 'http.request.uri.path eq "/blocked"' }],
  })
  for (let tries = 0; (await trace('/blocked')).status_code === undefined; tries++) {
    assert.ok(tries < 50, 'the rule did not reach the edge')
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  for (const target of targets) {
    const { status_code: status } = await trace(target)
    await fronts.each(async ({ send }) =>
      assert.equal((await send(target, { headers })).status, status ?? 200, target),
    )
  }
  const bare = await api(sluice, 'POST', `/accounts/${zone.account.id}/request-tracer/trace`, {
    method: 'GET',
    url: 'http://unknown.example/',
  })
  assert.deepEqual([bare.status, bare.errors[0]?.code], [400, 10495])
})
