import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Ruleset } from '../../model/resource.ts'
import type { Store } from '../../store/index.ts'
import { type Method, openTestApi, type TestApi, token } from '../testing/test-api.ts'

let api: TestApi
let rulesets: string
let entryPoint: string
before(async () => {
  api = await openTestApi()
  rulesets = `${api.zonePath}/rulesets`
  entryPoint = `${rulesets}/phases/http_request_firewall_custom/entrypoint`
})
after(() => api.close())

const block = (name: string, changes: object = {}) => ({
  action: 'block',
  expression: `http.request.uri.path eq "/${name}"`,
  ref: name,
  ...changes,
})

/** An entry point at version 2 whose rules are a, b and c. */
async function atVersion2() {
  const present = await api.send('GET', entryPoint)
  if (present.status === 200) await api.send('DELETE', `${rulesets}/${present.body.result.id}`)
  await api.send('PUT', entryPoint, { rules: [] })
  return (await api.send('PUT', entryPoint, { rules: ['a', 'b', 'c'].map(name => block(name)) })).body.result
}

test('responses carry the version as entity tag', async () => {
  const { id } = await atVersion2()
  const headers = { authorization: `Bearer ${token}` }
  for (const [path, want] of [
    [`${rulesets}/${id}`, '"2"'],
    [entryPoint, '"2"'],
    [`${rulesets}/${id}/versions/1`, '"1"'],
  ] as const) {
    const answer = await api.app.inject({ url: `/client/v4${path}`, headers })
    assert.equal(answer.headers.etag, want)
  }
  const written = await api.app.inject({
    method: 'PUT',
    url: `/client/v4${rulesets}/${id}`,
    headers,
    payload: { description: 'x' },
  })
  assert.equal(written.headers.etag, '"3"')
})

test('every write can name the version that it is based on', async t => {
  const rows: [method: Method, path: (id: string, rule: string) => string, body?: object][] = [
    ['PUT', id => `${rulesets}/${id}`, { description: 'new' }],
    ['PUT', () => entryPoint, { description: 'new' }],
    ['POST', id => `${rulesets}/${id}/rules`, block('d')],
    ['PATCH', (id, rule) => `${rulesets}/${id}/rules/${rule}`, block('a', { action: 'log' })],
    ['DELETE', (id, rule) => `${rulesets}/${id}/rules/${rule}`],
    ['DELETE', id => `${rulesets}/${id}`],
  ]
  for (const [method, pathOf, body] of rows) {
    await t.test(`${method} ${pathOf('ID', 'RULE').slice(rulesets.length)}`, async () => {
      const before = await atVersion2()
      const path = pathOf(before.id, before.rules[0].id)
      for (const query of ['', '?dry_run=true']) {
        const refused = await api.send(method, path + query, body, { 'if-match': '"1"' })
        assert.equal(refused.status, 412)
        assert.equal(refused.body.errors[0].code, 10412)
      }
      assert.deepEqual((await api.send('GET', entryPoint)).body.result, before)
      const done = await api.send(method, path, body, { 'if-match': '"2"' })
      assert.ok(done.status === 200 || done.status === 204, JSON.stringify(done.body))
    })
  }
})

test('the header is accepted in every common form', async t => {
  const rows: [header: string, status: number][] = [
    ['2', 200],
    ['"2"', 200],
    ['W/"2"', 200],
    ['*', 200],
    ['"1", "2"', 200],
    ['1', 412],
    ['"3"', 412],
    ['02', 200],
    ['', 400],
    ['two', 400],
    ['"2', 400],
    ['"2",', 400],
    [Array.from({ length: 17 }, () => '2').join(), 400],
  ]
  for (const [header, status] of rows) {
    await t.test(JSON.stringify(header.slice(0, 20)), async () => {
      await atVersion2()
      const answer = await api.send('PUT', entryPoint, { description: 'x' }, { 'if-match': header })
      assert.equal(answer.status, status, JSON.stringify(answer.body))
    })
  }
})

test('a missing entry point has no version', async () => {
  const { id } = await atVersion2()
  await api.send('DELETE', `${rulesets}/${id}`)
  for (const header of ['"1"', '*']) {
    assert.equal((await api.send('PUT', entryPoint, { rules: [] }, { 'if-match': header })).status, 412)
  }
  assert.equal((await api.send('GET', entryPoint)).status, 404)
})

test('the refusal lists the changes in between', async () => {
  const { id, rules } = await atVersion2()
  const [a, b, c] = rules
  const path = `${rulesets}/${id}`
  await api.send('PATCH', `${path}/rules/${c.id}`, { position: { before: '' } })
  await api.send('PUT', path, {
    description: 'theirs',
    rules: [{ id: c.id }, { ...block('a', { action: 'log' }), id: a.id, enabled: false }, block('d')],
  })
  const refused = await api.send('PUT', path, { rules: [] }, { 'if-match': '"2"' })
  const [error] = refused.body.errors
  assert.equal(
    error.message,
    `ruleset ${id} is at version 4, not 2; changes since then: rules: 1 added, 1 removed, 1 changed, 1 moved; the description changed`,
  )
  const added = (await api.send('GET', path)).body.result.rules[2]
  assert.deepEqual(error.meta, {
    ruleset_id: id,
    expected_version: '2',
    current_version: '4',
    changes: {
      description: { from: '', to: 'theirs' },
      rules: {
        added: [{ id: added.id, ref: 'd', action: 'block' }],
        removed: [{ id: b.id, ref: 'b', action: 'block' }],
        changed: [{ id: a.id, ref: 'a', action: 'log', members: ['action', 'enabled'] }],
        moved: [{ id: c.id, ref: 'c', action: 'block', from: 3, to: 1 }],
      },
    },
  })
})

test('a deleted version is stale without details', async () => {
  const { id } = await atVersion2()
  await api.send('DELETE', `${rulesets}/${id}/versions/1`)
  const refused = await api.send('PUT', entryPoint, { rules: [] }, { 'if-match': '"1"' })
  assert.equal(refused.status, 412)
  assert.equal(refused.body.errors[0].meta.changes, null)
})

test('a write that is repeated after another process won is stale', async () => {
  const { id } = await atVersion2()
  let left = 1
  const update = async (ruleset: Ruleset) => {
    if (left-- > 0) await api.store.rulesets.update({ ...ruleset, description: 'theirs' })
    await api.store.rulesets.update(ruleset)
  }
  const store: Store = { ...api.store, rulesets: { ...api.store.rulesets, update } }
  const other = await openTestApi({ store })
  try {
    const answer = await other.app.inject({
      method: 'PUT',
      url: `/client/v4${rulesets}/${id}`,
      headers: { authorization: `Bearer ${token}`, 'if-match': '"2"' },
      payload: { description: 'mine' },
    })
    assert.equal(answer.statusCode, 412)
    const stored = await api.store.rulesets.get({ kind: 'zone', id: api.zoneId }, id)
    assert.deepEqual([stored?.version, stored?.description], [3, 'theirs'])
  } finally {
    await other.close()
  }
})
