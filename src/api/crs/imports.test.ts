import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { CrsError, type CrsErrorCode } from '../../crs/index.ts'
import type { AuditEntry, CrsRelease } from '../../model/resource.ts'
import type { NewCrsRelease } from '../../store/port/crs.ts'
import { openTestApi, type TestApi } from '../testing/test-api.ts'

const aRelease = (crsVersion: string): NewCrsRelease => ({
  crsVersion,
  digest: crsVersion,
  origin: `test ${crsVersion}`,
  files: [{ name: 'rules/REQUEST-942.conf', text: 'SecAction "id:1"' }],
  managedRulesets: () => [],
})

let api: TestApi
let releases: string
/** The next answer of upstream: a release or an error. */
let upstream: NewCrsRelease | CrsErrorCode
let running = 0

before(async () => {
  api = await openTestApi({
    crs: {
      async obtain(audit: (release: CrsRelease) => AuditEntry) {
        assert.equal(++running, 1, 'imports wait for each other')
        try {
          if (typeof upstream === 'string') throw new CrsError(upstream, 'upstream said no')
          const known = (await api.store.crs.list()).find(
            ({ digest }) => digest === (upstream as NewCrsRelease).digest,
          )
          if (known !== undefined) return { release: known, isNew: false }
          return { release: await api.store.crs.keep(upstream, audit), isNew: true }
        } finally {
          running--
        }
      },
      async use(version, audit) {
        if (version === 2) throw new CrsError('does-not-compile', 'it has a fault')
        await api.store.crs.activate(version, audit)
        return (await api.store.crs.byVersion(version))!
      },
    },
  })
  releases = `/accounts/${api.accountId}/waf/crs_releases`
})
after(() => api.close())
afterEach(() => assert.equal(running, 0))

const active = async () => (await api.store.crs.active())?.version
const trail = async () => {
  const { body } = await api.send('GET', `/accounts/${api.accountId}/audit_logs?resource.type=crs_release`)
  return body.result.map((entry: { action: { type: string }; resource: { id: string } }) => [
    entry.action.type,
    entry.resource.id,
  ])
}

test('upstream’s newest release is imported once, and the active release stays', async () => {
  upstream = aRelease('4.29.0')
  const answers = await Promise.all([api.send('POST', releases), api.send('POST', releases)])
  for (const { status, body } of answers) {
    assert.equal(status, 200)
    const { version, crs_version, active } = body.result
    assert.deepEqual([version, crs_version, active], ['2', '4.29.0', false])
  }
  assert.equal(await active(), 1)
  assert.deepEqual(await trail(), [['create', '2']])
})

test('a failed import reports its reason and imports nothing', async () => {
  const rows: readonly [code: CrsErrorCode, status: number, number: number][] = [
    ['download-failed', 503, 10322],
    ['not-authentic', 422, 10323],
    ['does-not-compile', 422, 10323],
  ]
  for (const [code, status, number] of rows) {
    upstream = code
    const answer = await api.send('POST', releases)
    assert.deepEqual([answer.status, answer.body.errors[0].code], [status, number])
    assert.match(answer.body.errors[0].message, /upstream said no/)
  }
  assert.equal((await api.store.crs.list()).length, 2)
})

test('an imported release is activated, by number or CRS version', async () => {
  await api.store.crs.keep(aRelease('4.30.0'))
  const used = await api.send('PATCH', `${releases}/4.30.0`, { active: true })
  assert.deepEqual([used.status, used.body.result.version, used.body.result.active], [200, '3', true])
  assert.equal(await active(), 3)
  assert.equal((await api.send('PATCH', `${releases}/3`, { active: true })).status, 200)
  assert.equal((await api.send('PATCH', `${releases}/1`, { active: true })).status, 200)
  assert.equal(await active(), 1)
  assert.deepEqual(await trail(), [
    ['update', '1'],
    ['update', '3'],
    ['create', '2'],
  ])
})

test('a missing release, or one that does not compile, is not activated', async () => {
  const rows: readonly [release: string, body: object, status: number, code: number | undefined][] = [
    ['9', { active: true }, 404, 10320],
    ['4.99.0', { active: true }, 404, 10320],
    ['2', { active: true }, 422, 10323],
    ['3', { active: false }, 400, undefined],
    ['3', {}, 400, undefined],
    ['3', { active: true, origin: 'mine' }, 400, undefined],
  ]
  for (const [release, body, status, code] of rows) {
    const answer = await api.send('PATCH', `${releases}/${release}`, body)
    assert.equal(answer.status, status, JSON.stringify([release, body]))
    if (code !== undefined) assert.equal(answer.body.errors[0].code, code)
  }
  assert.equal(await active(), 1)
})
