import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CrsFile, CrsRelease } from '../model/resource.ts'
import { compareReleases, findRelease } from './compare.ts'
import { CrsError } from './crs-error.ts'
import { miniRelease } from './testing/release.ts'

function files(version: string, changes: Readonly<Record<string, string>> = {}): readonly CrsFile[] {
  return [...miniRelease(version, changes)]
    .filter(([name]) => name.endsWith('.conf') || name.endsWith('.data') || name.endsWith('.example'))
    .filter(([name]) => !name.startsWith('rules/REQUEST-900'))
    .map(([name, text]) => ({ name, text }))
}

const name = 'rules/REQUEST-920.conf'
const rule = (changes: { [action: string]: string } = {}, target = 'ARGS', layout = '') => {
  const actions = {
    msg: 'Bad',
    tag: 'paranoia-level/1',
    severity: 'CRITICAL',
    ver: 'OWASP_CRS/4.98.0',
    ...changes,
  }
  const written = Object.entries(actions).map(([action, value]) => `${layout}${action}:'${value}'`)
  return `SecRule ${target} "@rx a" "id:920100,phase:2,block,${written.join(',')}"\n`
}

test('a release and itself, and another layout of it, are the same', () => {
  const none = { added: [], changed: [], removed: [] }
  const before = files('4.98.0', { [name]: rule() })
  assert.deepEqual(compareReleases(before, before), none)
  const laidOut = files('4.99.0', { [name]: rule({ ver: 'OWASP_CRS/4.99.0' }, 'ARGS', '\\\n    ') })
  assert.deepEqual(compareReleases(before, laidOut), none)
})

test('rules come and go', () => {
  const [without, with_] = [files('4.98.0'), files('4.99.0', { [name]: rule() })]
  const { added, changed, removed } = compareReleases(without, with_)
  assert.deepEqual([changed, removed], [[], []])
  assert.equal(added.length, 1)
  const { text, ...facts } = added[0]!
  assert.deepEqual(facts, {
    id: 920100,
    file: name,
    message: 'Bad',
    severity: 'CRITICAL',
    paranoiaLevel: 1,
    tags: ['paranoia-level/1'],
  })
  assert.match(text, /^SecRule ARGS/)
  assert.deepEqual(compareReleases(with_, without).removed, added)
})

test('a changed rule says what changed', async t => {
  const chained = (link: string) => rule({ chain: '' }).replace("chain:''", 'chain') + link
  const rows: [what: string, before: string, after: string, members: string[]][] = [
    ['message', rule(), rule({ msg: 'Worse' }), ['message']],
    ['severity', rule(), rule({ severity: 'WARNING' }), ['severity']],
    ['level', rule(), rule({ tag: 'paranoia-level/2' }), ['paranoiaLevel', 'tags']],
    ['tags', rule(), rule({ tag: 'attack-xss' }), ['paranoiaLevel', 'tags']],
    ['target', rule(), rule({}, 'ARGS|!ARGS:x'), ['text']],
    ['operator', rule(), rule().replace('@rx a', '@rx b'), ['text']],
    ['action', rule(), rule({ t: 'lowercase' }), ['text']],
    ['link', chained('SecRule ARGS "@rx x"\n'), chained('SecRule ARGS "@rx y"\n'), ['text']],
  ]
  for (const [what, before, after, members] of rows) {
    await t.test(what, () => {
      const { changed, added, removed } = compareReleases(
        files('4.98.0', { [name]: before }),
        files('4.99.0', { [name]: after }),
      )
      assert.deepEqual([added, removed], [[], []])
      assert.deepEqual(
        changed.map(({ after: { id }, members: found }) => [id, found]),
        [[920100, members]],
      )
    })
  }
})

test('other phrases in a file are another rule', () => {
  const { changed } = compareReleases(files('4.98.0'), files('4.98.0', { 'rules/scanners.data': 'nikto\n' }))
  assert.deepEqual(
    changed.map(({ after, members }) => [after.id, members]),
    [[913100, ['text']]],
  )
})

test('a release that cannot be parsed is an error', () => {
  const broken = files('4.98.0', { [name]: 'SecRul ARGS "@rx a" "id:1"' })
  assert.throws(
    () => compareReleases(files('4.98.0'), broken),
    (error: unknown) => error instanceof CrsError && error.code === 'does-not-compile',
  )
})

test('a release is found by its number or by its CRS version, the newest first', () => {
  const release = (version: number, crsVersion: string): CrsRelease => ({
    version,
    crsVersion,
    digest: String(version),
    origin: 'test',
    importedOn: '',
  })
  const releases = [release(1, '4.98.0'), release(2, '4.99.0'), release(3, '4.98.0')]
  for (const [text, want] of [
    ['1', 1],
    ['4.99.0', 2],
    ['4.98.0', 3],
    ['4', undefined],
    ['', undefined],
  ] as const) {
    assert.equal(findRelease(releases, text)?.version, want)
  }
})
