import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Cloudflare from 'cloudflare'
import { openTestApi, type TestApi, token } from '../testing/test-api.ts'

let api: TestApi
let client: Cloudflare
before(async () => {
  api = await openTestApi()
  const baseURL = `${await api.app.listen({ host: '127.0.0.1', port: 0 })}/client/v4`
  client = new Cloudflare({ baseURL, maxRetries: 0, apiEmail: null, apiKey: null, apiToken: token })
})
after(() => api.close())

test('the SDK switches the check, and manages detection locations', async () => {
  const zone = { zone_id: api.zoneId }
  const { leakedCredentialChecks } = client
  const { detections } = leakedCredentialChecks
  assert.deepEqual(await leakedCredentialChecks.get(zone), { enabled: false })
  assert.deepEqual(await leakedCredentialChecks.create({ ...zone, enabled: true }), { enabled: true })
  assert.deepEqual(await leakedCredentialChecks.get(zone), { enabled: true })
  const username = 'lookup_json_string(http.request.body.raw, "user")'
  const password = 'lookup_json_string(http.request.body.raw, "secret")'
  const made = await detections.create({ ...zone, username, password })
  assert.deepEqual(made, { id: made.id, username, password })
  const changed = await detections.update(made.id!, { ...zone, username })
  assert.deepEqual(changed, { id: made.id, username })
  assert.deepEqual(await detections.get(made.id!, zone), changed)
  const listed: object[] = []
  for await (const one of detections.list(zone)) listed.push(one)
  assert.deepEqual(listed, [changed])
  await detections.delete(made.id!, zone)
  await assert.rejects(detections.get(made.id!, zone), /there is no detection location/)
})

test('the answer says what is known here, and wrong locations are refused at their member', async () => {
  const base = `${api.zonePath}/leaked-credential-checks`
  const { body } = await api.send('POST', base, { enabled: true })
  assert.match(body.messages[0].message, /no leaked password is known here: set SLUICE_LEAKED_PASSWORDS/)
  const post = (given: object) => api.send('POST', `${base}/detections`, given)
  const rows: [object, string, RegExp][] = [
    [{ username: 'nonsense' }, '/username', /nonsense/],
    [{ username: 'http.host', password: 'http.request.timestamp.sec' }, '/password', /must be a String/],
    [{ username: 'http.host', password: 'ip.src in $office' }, '/password', /office/],
  ]
  for (const [given, pointer, reason] of rows) {
    const refused = await post(given)
    assert.deepEqual([refused.status, refused.body.errors[0].source.pointer], [400, pointer])
    assert.match(refused.body.errors[0].message, reason)
  }
  assert.equal((await post({})).status, 400)
  for (let at = 0; at < 10; at++) assert.equal((await post({ username: 'http.host' })).status, 200)
  assert.equal((await post({ username: 'http.host' })).status, 403)
})
