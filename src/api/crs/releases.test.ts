import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../testing/test-api.ts'

let api: TestApi
let releases: string
before(async () => {
  api = await openTestApi()
  releases = `/accounts/${api.accountId}/waf/crs_releases`
  const rule = (message: string) =>
    `SecRule ARGS "@rx a" "id:942100,phase:2,block,msg:'${message}',tag:'paranoia-level/1',severity:CRITICAL"\n`
  const added = `SecRule ARGS "@rx b" "id:942200,phase:2,block,msg:'Caf\u00c3\u00a9'"\n`
  for (const [crsVersion, text] of [
    ['4.29.0', rule('Old')],
    ['4.30.0', rule('New') + added],
  ] as const) {
    await api.store.crs.insert({
      crsVersion,
      digest: crsVersion,
      origin: `test ${crsVersion}`,
      releasedYear: 2026,
      files: [{ name: 'rules/REQUEST-942.conf', text }],
      managedRulesets: () => [],
    })
  }
})
after(() => api.close())

test('the releases are listed with the active one', async () => {
  const { status, body } = await api.send('GET', releases)
  assert.equal(status, 200)
  assert.deepEqual(
    body.result.map(({ imported_on, ...release }: { imported_on: string }) => release),
    [
      { version: '1', crs_version: '4.28.0', origin: 'test', released_year: null, active: false },
      { version: '2', crs_version: '4.29.0', origin: 'test 4.29.0', released_year: 2026, active: false },
      { version: '3', crs_version: '4.30.0', origin: 'test 4.30.0', released_year: 2026, active: true },
    ],
  )
  assert.match(body.result[0].imported_on, /Z$/)
})

test('two releases are compared by number or CRS version', async () => {
  const { body } = await api.send('GET', `${releases}/diff?from=2&to=4.30.0`)
  const { from, to, added, changed, removed } = body.result
  assert.deepEqual([from.version, to.version, removed], ['2', '3', []])
  assert.deepEqual(added, [
    {
      id: 942200,
      file: 'rules/REQUEST-942.conf',
      message: 'Café',
      severity: '',
      paranoia_level: 0,
      tags: [],
    },
  ])
  assert.deepEqual(changed, [
    {
      id: 942100,
      file: 'rules/REQUEST-942.conf',
      message: 'New',
      members: ['message'],
      changes: { message: { from: 'Old', to: 'New' } },
    },
  ])
})

test('a missing release is not found, and both must be named', async () => {
  const missing = await api.send('GET', `${releases}/diff?from=2&to=9`)
  assert.deepEqual([missing.status, missing.body.errors[0].code], [404, 10320])
  assert.equal((await api.send('GET', `${releases}/diff?from=2`)).status, 400)
  assert.equal((await api.send('GET', `${releases}/diff?from=&to=2`)).status, 400)
})
