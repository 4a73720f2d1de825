import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { type Area, groupOf, type Level } from '../access/permissions/groups.ts'
import { openTestApi, type TestApi } from '../testing/test-api.ts'

let api: TestApi
let receiver: string
const server = createServer((request, response) => {
  request.resume().on('end', () => response.end())
})
before(async () => {
  api = await openTestApi()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  receiver = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(async () => {
  server.close()
  await api.close()
})

const withSecret = (secret: string, path = 'in') =>
  `${receiver}/${path}?tags=a&header_Authorization=${secret}`

/** A token that may do this, where the resource says. */
async function tokenFor(area: Area, level: Level, resource: string): Promise<string> {
  const { id } = groupOf(area, level)
  const policies = [
    { effect: 'allow', permission_groups: [{ id }], resources: { [`com.cloudflare.api.${resource}`]: '*' } },
  ]
  const made = await api.send('POST', '/user/tokens', { name: 'some', policies })
  assert.equal(made.status, 200, JSON.stringify(made.body))
  return made.body.result.value
}

test('a destination is shown with write permission, and masked with read permission', async () => {
  for (const [path, area, resource] of [
    [api.zonePath, 'zoneLogs', `account.zone.${api.zoneId}`],
    [`/accounts/${api.accountId}`, 'accountLogs', `account.${api.accountId}`],
  ] as const) {
    const jobs = `${path}/logpush/jobs`
    const made = await api.send('POST', jobs, { destination_conf: withSecret('hunter2') })
    assert.equal(made.status, 200, JSON.stringify(made.body))
    const { result } = made.body
    assert.equal(result.destination_conf, withSecret('hunter2'))
    for (const level of ['read', 'write'] as const) {
      const authorization = `Bearer ${await tokenFor(area, level, resource)}`
      const get = async (path: string) => (await api.send('GET', path, undefined, { authorization })).body
      const one = await get(`${jobs}/${result.id}`)
      const all = await get(jobs)
      const ofDataset = await get(`${path}/logpush/datasets/http_requests/jobs`)
      for (const shown of [one.result, all.result[0], ofDataset.result[0]]) {
        const { destination_conf: destination, ...rest } = shown
        const { destination_conf: whole, ...others } = result
        assert.deepEqual(rest, others)
        if (level === 'write') assert.equal(destination, whole)
        else {
          assert.match(destination, /^http:\/\/127\.0\.0\.1:\d+\/in\?.*\*\*\*/)
          assert.doesNotMatch(destination, /hunter/)
        }
      }
    }
    await api.send('DELETE', `${jobs}/${result.id}`)
  }
})

test('read permission changes nothing', async () => {
  const jobs = `${api.zonePath}/logpush/jobs`
  const made = await api.send('POST', jobs, { destination_conf: withSecret('hunter2') })
  const path = `${jobs}/${made.body.result.id}`
  const authorization = `Bearer ${await tokenFor('zoneLogs', 'read', `account.zone.${api.zoneId}`)}`
  for (const [method, target, body] of [
    ['PUT', path, {}],
    ['DELETE', path, undefined],
    ['POST', `${path}/replay`, {}],
    ['PUT', `${api.zonePath}/logs/control/redaction`, {}],
  ] as const)
    assert.equal((await api.send(method, target, body, { authorization })).status, 403, target)
  await api.send('DELETE', path)
})

test('the trail shows that a secret changed, and never its value', async () => {
  const jobs = `${api.zonePath}/logpush/jobs`
  const made = await api.send('POST', jobs, { destination_conf: withSecret('hunter1') })
  const path = `${jobs}/${made.body.result.id}`
  const newest = async () => {
    const { body } = await api.send('GET', `/accounts/${api.accountId}/audit_logs?per_page=1`)
    return body.result[0]
  }
  for (const [change, noted] of [
    [{ name: 'x' }, false],
    [{ destination_conf: withSecret('hunter2') }, true],
    [{ destination_conf: withSecret('hunter2') }, false],
    [{ destination_conf: withSecret('hunter3', 'out') }, false],
  ] as const) {
    const answer = await api.send('PUT', path, change)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const { oldValueJson: old, newValueJson: now } = await newest()
    assert.equal('destination_conf_changed' in now, noted, JSON.stringify(change))
    assert.equal(old.destination_conf !== now.destination_conf, JSON.stringify(change).includes('/out'))
  }
  await api.send('DELETE', path)
  const stored = await api.store.audit.list(api.accountId, { offset: 0, limit: 1000 })
  assert.doesNotMatch(JSON.stringify(stored), /hunter/)
})

test('neither the log nor a refusal repeats a secret', async () => {
  const refused: string[] = []
  for (const body of [
    { destination_conf: `${withSecret('hunter2')}&${'x'.repeat(4096)}` },
    { destination_conf: `http://user:hunter2@127.0.0.1:1/in` },
    { destination_conf: [withSecret('hunter2')] },
    { destination_conf: 's3://bucket/x?region=eu-1&secret-access-key=hunter2' },
  ]) {
    for (const path of ['jobs', 'ownership', 'validate/destination', 'validate/destination/exists']) {
      const { status, body: answer } = await api.send('POST', `${api.zonePath}/logpush/${path}`, body)
      if (path === 'jobs') assert.equal(status, 400)
      refused.push(JSON.stringify(answer))
    }
  }
  assert.doesNotMatch(refused.join('\n'), /hunter/)
  assert.doesNotMatch(api.logLines.join(''), /hunter/)
})
