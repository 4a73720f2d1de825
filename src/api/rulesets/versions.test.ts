import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { lastRuleId, openTestApi, owaspId, type TestApi } from '../testing/test-api.ts'

let api: TestApi
let rulesets: string
let accountRulesets: string
before(async () => {
  api = await openTestApi()
  rulesets = `${api.zonePath}/rulesets`
  accountRulesets = `/accounts/${api.accountId}/rulesets`
})
after(() => api.close())

const phase = 'http_request_firewall_custom'
const block = (path: string) => ({ action: 'block', expression: `http.request.uri.path eq "${path}"` })
const unknown = '0'.repeat(32)

async function made(method: 'POST' | 'PUT', path: string, body: object) {
  const answer = await api.send(method, path, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.result
}

/** A ruleset with versions 1, 2 and 3, which have as many rules. */
async function threeVersions(): Promise<string> {
  const entryPoint = `${rulesets}/phases/${phase}/entrypoint`
  const present = await api.send('GET', entryPoint)
  if (present.status === 200) await api.send('DELETE', `${rulesets}/${present.body.result.id}`)
  const { id } = await made('PUT', entryPoint, { rules: [block('/1')] })
  await made('POST', `${rulesets}/${id}/rules`, block('/2'))
  await made('POST', `${rulesets}/${id}/rules`, block('/3'))
  return id
}

test('versions are listed without rules, and read with them', async () => {
  const id = await threeVersions()
  const { body } = await api.send('GET', `${rulesets}/${id}/versions`)
  assert.deepEqual(
    body.result.map((version: { version: string }) => version.version),
    ['1', '2', '3'],
  )
  assert.ok(body.result.every((version: object) => !('rules' in version)))
  assert.equal('result_info' in body, false)
  for (const version of [1, 2, 3]) {
    const read = await api.send('GET', `${rulesets}/${id}/versions/${version}`)
    assert.equal(read.body.result.version, String(version))
    assert.equal(read.body.result.rules.length, version)
  }
  const newest = await api.send('GET', `${rulesets}/${id}/versions/3`)
  assert.deepEqual(newest.body.result, (await api.send('GET', `${rulesets}/${id}`)).body.result)
})

test('versions of an entry point are found by its phase', async () => {
  const none = `${rulesets}/phases/http_ratelimit/entrypoint/versions`
  assert.deepEqual((await api.send('GET', none)).body.result, [])
  assert.equal((await api.send('GET', `${none}/1`)).body.errors[0].code, 10003)
  const id = await threeVersions()
  const path = `${rulesets}/phases/${phase}/entrypoint/versions`
  assert.deepEqual(
    (await api.send('GET', path)).body.result,
    (await api.send('GET', `${rulesets}/${id}/versions`)).body.result,
  )
  assert.equal((await api.send('GET', `${path}/2`)).body.result.rules.length, 2)
  assert.equal((await api.send('GET', `${path}/4`)).status, 404)
})

test('an old version is deleted, and its number is not used again', async () => {
  const id = await threeVersions()
  const version = (n: number) => `${rulesets}/${id}/versions/${n}`
  assert.deepEqual(await api.send('DELETE', `${version(2)}?dry_run=true`), { status: 204, body: undefined })
  assert.equal((await api.send('GET', version(2))).status, 200)
  assert.deepEqual(await api.send('DELETE', version(2)), { status: 204, body: undefined })
  for (const method of ['GET', 'DELETE'] as const) {
    const answer = await api.send(method, version(2))
    assert.deepEqual([answer.status, answer.body.errors[0].code], [404, 20290])
  }
  const newest = await api.send('DELETE', version(3))
  assert.deepEqual([newest.status, newest.body.errors[0].code], [400, 20291])
  const next = await made('PUT', `${rulesets}/${id}`, { rules: [] })
  assert.equal(next.version, '4')
  const kept = (await api.send('GET', `${rulesets}/${id}/versions`)).body.result
  assert.deepEqual(
    kept.map(({ version }: { version: string }) => version),
    ['1', '3', '4'],
  )
})

test('each imported release is a version of the managed ruleset', async () => {
  const first = (await api.store.crs.managedRulesets(1))[0]!
  const added = { ...first.rules[0]!, id: 'ab'.repeat(16), categories: ['paranoia-level-2', 'attack-xss'] }
  await api.store.crs.insert({
    crsVersion: '4.29.0',
    digest: '1'.repeat(64),
    origin: 'test',
    files: [],
    managedRulesets: version => [{ ...first, version, rules: [added, ...first.rules] }],
  })
  for (const path of [rulesets, accountRulesets]) {
    const { body } = await api.send('GET', `${path}/${owaspId}/versions`)
    assert.deepEqual(
      body.result.map(({ version }: { version: string }) => version),
      ['1', '2'],
    )
    assert.equal((await api.send('GET', `${path}/${owaspId}`)).body.result.version, '2')
    assert.equal((await api.send('GET', `${path}/${owaspId}/versions/1`)).body.result.rules.length, 2)
    assert.equal((await api.send('GET', `${path}/${owaspId}/versions/3`)).status, 404)
    const refused = await api.send('DELETE', `${path}/${owaspId}/versions/1`)
    assert.deepEqual([refused.status, refused.body.errors[0].code], [400, 20213])
  }
  const byTag = (version: number, tag: string) => `${owaspId}/versions/${version}/by_tag/${tag}`
  const tagged = await api.send('GET', `${accountRulesets}/${byTag(2, 'attack-xss')}`)
  assert.deepEqual(
    tagged.body.result.rules.map(({ id }: { id: string }) => id),
    [added.id],
  )
  assert.deepEqual(
    (await api.send('GET', `${accountRulesets}/${byTag(1, 'attack-xss')}`)).body.result.rules,
    [],
  )
  const zoneLevel = await api.send('GET', `${rulesets}/${byTag(2, 'attack-xss')}`)
  assert.deepEqual([zoneLevel.status, zoneLevel.body.errors[0].code], [404, 7003])

  const pinned = await made('PUT', `${rulesets}/phases/http_request_firewall_managed/entrypoint`, {
    rules: [{ action: 'execute', expression: 'true', action_parameters: { id: owaspId, version: '1' } }],
  })
  assert.equal(pinned.rules[0].action_parameters.version, '1')
  assert.equal(await api.store.crs.activate(1), true)
  assert.equal((await api.send('GET', `${rulesets}/${owaspId}`)).body.result.version, '1')
  assert.equal((await api.send('GET', `${rulesets}/${owaspId}/versions/2`)).status, 200)
  await api.send('DELETE', `${rulesets}/${pinned.id}`)
  assert.equal(first.rules.at(-1)?.id, lastRuleId)
})

test('an executed custom ruleset cannot be deleted', async () => {
  const custom = await made('POST', accountRulesets, {
    name: 'c',
    kind: 'custom',
    phase,
    rules: [block('/c')],
  })
  const root = await made('PUT', `${accountRulesets}/phases/${phase}/entrypoint`, {
    rules: [
      {
        action: 'execute',
        expression: '(http.host eq "a.example") and cf.zone.plan eq "ENT"',
        action_parameters: { id: custom.id },
      },
    ],
  })
  assert.equal(root.rules[0].action_parameters.version, 'latest')
  for (const query of ['', '?dry_run=true']) {
    const refused = await api.send('DELETE', `${accountRulesets}/${custom.id}${query}`)
    assert.equal(refused.status, 400)
    assert.equal(refused.body.errors[0].code, 20222)
    assert.match(refused.body.errors[0].message, new RegExp(`${root.rules[0].id}.*${root.id}`))
  }
  const latest = await api.send('DELETE', `${accountRulesets}/${custom.id}/versions/1`)
  assert.equal(latest.status, 400)
  await made('PUT', `${accountRulesets}/${root.id}`, { rules: [] })
  assert.equal((await api.send('DELETE', `${accountRulesets}/${custom.id}`)).status, 204)
  await api.send('DELETE', `${accountRulesets}/${root.id}`)
})

test('paths with malformed ids have no route', async t => {
  const id = await threeVersions()
  const rows: [method: 'GET' | 'PUT' | 'DELETE' | 'PATCH', path: string][] = [
    ['GET', '/abc'],
    ['PUT', `/${id.toUpperCase()}`],
    ['DELETE', `/${id}0`],
    ['PATCH', `/${id}/rules/1`],
    ['GET', `/${id}/versions/latest`],
    ['GET', `/${id}/versions/0`],
    ['DELETE', `/${id}/versions/01`],
    ['GET', `/${id}/versions/9999999999999999`],
    ['GET', '/phases/http_ratelimit/entrypoint/versions/x'],
    ['GET', `/${id}/colour`],
  ]
  for (const [method, path] of rows) {
    await t.test(`${method} ${path.replace(id, 'ID')}`, async () => {
      const answer = await api.send(
        method,
        `${rulesets}${path}`,
        method === 'GET' ? undefined : { rules: [] },
      )
      assert.equal(answer.status, 404)
      assert.deepEqual(
        answer.body.errors.map(({ code }: { code: number }) => code),
        [7003, 7000],
      )
    })
  }
  for (const path of [`/${unknown}/versions`, `/${unknown}/versions/1`]) {
    assert.equal((await api.send('GET', `${rulesets}${path}`)).body.errors[0].code, 10001)
  }
})

test('the list of rulesets comes in pages that end, also if rulesets are added meanwhile', async () => {
  const path = `/accounts/${api.accountId}/rulesets`
  const make = (name: string) => made('POST', path, { name, kind: 'custom', phase })
  for (const name of ['a', 'b', 'c']) await make(name)
  const whole = (await api.send('GET', path)).body
  assert.equal('result_info' in whole, false)
  const seen: string[] = []
  let cursor = ''
  for (let pages = 1; ; pages++) {
    const { body } = await api.send('GET', `${path}?per_page=2${cursor && `&cursor=${cursor}`}`)
    seen.push(...body.result.map(({ id }: { id: string }) => id))
    if (body.result_info === undefined) break
    assert.equal(body.result.length, 2)
    cursor = body.result_info.cursor
    assert.equal(body.result_info.cursors.after, cursor)
    if (pages === 1) await make('d')
    if (pages === 2) await api.send('DELETE', `${path}/${seen.at(-1)}`)
    assert.ok(pages < 10)
  }
  const all = (await api.send('GET', path)).body.result.map(({ id }: { id: string }) => id)
  assert.equal(new Set(seen).size, seen.length)
  assert.deepEqual(
    seen.filter(id => all.includes(id)),
    all,
  )
  for (const query of [
    'cursor=',
    'cursor=x',
    `cursor=${'A'.repeat(43)}`,
    'per_page=0',
    'per_page=51',
    'per_page=x',
  ]) {
    assert.equal((await api.send('GET', `${path}?${query}`)).status, 400, query)
  }
})
