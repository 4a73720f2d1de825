import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../testing/test-api.ts'

let api: TestApi
before(async () => {
  api = await openTestApi()
})
after(() => api.close())

const path = () => `/zones/${api.zoneId}/waf/shadow`
const wanted = {
  enabled: true,
  version: 'latest',
  paranoia_level: 2,
  score_threshold: 40,
  sample_rate: 0.25,
}

test('a shadow is set, read, replaced and deleted, and each write is announced', async () => {
  assert.equal((await api.send('GET', path())).status, 404)
  const start = await api.store.changes.head()
  const made = await api.send('PUT', path(), wanted)
  assert.equal(made.status, 200)
  const { modified_on: modifiedOn, ...rest } = made.body.result
  assert.deepEqual(rest, wanted)
  assert.match(modifiedOn, /^\d{4}-.*Z$/)
  assert.deepEqual((await api.send('GET', path())).body.result, made.body.result)

  const replaced = await api.send('PUT', path(), { ...wanted, enabled: false, sample_rate: 1 })
  assert.equal(replaced.body.result.enabled, false)
  assert.equal((await api.store.shadows.get(api.zoneId))?.sampleRate, 1)

  assert.deepEqual((await api.send('DELETE', path())).body.result, replaced.body.result)
  const again = await api.send('DELETE', path())
  assert.equal(again.status, 404)
  assert.equal(again.body.errors[0].code, 10460)
  const changes = await api.store.changes.after(start)
  assert.deepEqual(
    changes.map(({ kind, id }) => `${kind} ${id}`),
    [`zone ${api.zoneId}`, `zone ${api.zoneId}`, `zone ${api.zoneId}`],
  )
})

test('invalid shadows are refused and nothing is stored', async t => {
  const rows: [name: string, changes: object, code: number, pointer: string][] = [
    ['no rate', { sample_rate: undefined }, 10421, '/sample_rate'],
    ['a rate below 0', { sample_rate: -0.1 }, 10423, '/sample_rate'],
    ['a rate above 1', { sample_rate: 1.1 }, 10423, '/sample_rate'],
    ['level 0', { paranoia_level: 0 }, 10423, '/paranoia_level'],
    ['level 5', { paranoia_level: 5 }, 10423, '/paranoia_level'],
    ['half a level', { paranoia_level: 1.5 }, 10422, '/paranoia_level'],
    ['threshold 0', { score_threshold: 0 }, 10423, '/score_threshold'],
    ['no such version', { version: '999' }, 10423, '/version'],
    ['a version that is no number', { version: '1.0' }, 10423, '/version'],
    ['an unknown key', { action: 'block' }, 10420, '/action'],
  ]
  for (const [name, changes, code, pointer] of rows)
    await t.test(name, async () => {
      const answer = await api.send('PUT', path(), { ...wanted, ...changes })
      assert.equal(answer.status, 400)
      assert.equal(answer.body.errors[0].code, code)
      assert.equal(answer.body.errors[0].source.pointer, pointer)
    })
  assert.equal(await api.store.shadows.get(api.zoneId), undefined)
})

test('the ends of the ranges and imported versions are accepted', async () => {
  const active = await api.store.crs.active()
  for (const changes of [
    { sample_rate: 0, paranoia_level: 1, score_threshold: 1 },
    { sample_rate: 1, paranoia_level: 4 },
    ...(active === undefined ? [] : [{ version: String(active.version) }]),
  ])
    assert.equal((await api.send('PUT', path(), { ...wanted, ...changes })).status, 200)
})
