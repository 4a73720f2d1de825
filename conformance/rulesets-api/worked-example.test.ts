import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { miniRelease, writeTree } from '../../src/crs/testing/release.ts'
import { api, discard, type Instance, readJsonLines, startSluice } from '../../test/support/sluice.ts'
import { entryPoint, lastRule, owasp } from './case.ts'

/**
 * Section 7.5: the example with which Cloudflare's documentation explains the score, run by a whole instance with ten
 * rules of the example's levels, matches and points. At level 3 their sum is 26.
 */
const rules = [
  { level: 3, matches: true, points: 5 },
  { level: 3, matches: false, points: 5 },
  { level: 2, matches: true, points: 5 },
  { level: 1, matches: true, points: 5 },
  { level: 2, matches: true, points: 3 },
  { level: 1, matches: false, points: 5 },
  { level: 2, matches: true, points: 5 },
  { level: 2, matches: false, points: 5 },
  { level: 3, matches: true, points: 3 },
  { level: 4, matches: true, points: 5 },
] as const

const directives = rules.map(
  ({ level, points }, at) => `SecRule ARGS "@contains word${at};" "id:${942100 + at},phase:2,block,\\
    msg:'Rule ${at}',tag:'paranoia-level/${level}',severity:${points === 5 ? 'CRITICAL' : 'WARNING'}"`,
)
const words = rules.map(({ matches }, at) => (matches ? `word${at};` : '')).join('')

let sluice: Instance
let directory: string
let zone: string

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-example-'))
  const files = miniRelease('4.99.0', { 'rules/REQUEST-942-EXAMPLE.conf': `${directives.join('\n')}\n` })
  sluice = await startSluice({
    settings: {
      SLUICE_CRS: await writeTree(join(directory, 'crs'), files),
      SLUICE_AUDIT_LOG: join(directory, 'audit.ndjson'),
    },
  })
  zone = (await api(sluice, 'GET', '/zones?name=localhost')).result[0].id
})

after(async () => {
  await discard(sluice)
  await rm(directory, { recursive: true })
})

async function deploy(levels: readonly number[], score_threshold: number): Promise<void> {
  const categories = [1, 2, 3, 4]
    .filter(level => !levels.includes(level))
    .map(level => ({ category: `paranoia-level-${level}`, enabled: false }))
  const overrides = {
    ...(categories.length === 0 ? {} : { categories }),
    rules: [{ id: lastRule, score_threshold, action: 'managed_challenge' }],
  }
  const rule = { action: 'execute', expression: 'true', action_parameters: { id: owasp, overrides } }
  const path = entryPoint('http_request_firewall_managed', `/zones/${zone}`)
  const answer = await api(sluice, 'PUT', path, { rules: [rule] })
  assert.equal(answer.status, 200, JSON.stringify(answer.errors))
}

interface AuditRecord {
  readonly ray_id: string
  readonly score: number
  readonly threshold: number
  readonly matched: readonly { readonly id: number; readonly score: number }[]
}

async function judged(): Promise<{ status: number; mitigated: string | null; record: AuditRecord }> {
  const answer = await fetch(`${sluice.edgeUrl}/?q=${encodeURIComponent(words)}`)
  await answer.body?.cancel()
  for (;;) {
    const records = (await readJsonLines(join(directory, 'audit.ndjson')).catch(() => [])) as AuditRecord[]
    const record = records.find(({ ray_id }) => ray_id === answer.headers.get('ray-id'))
    const mitigated = answer.headers.get('cf-mitigated')
    if (record !== undefined) return { status: answer.status, mitigated, record }
    await sleep(20)
  }
}

/** A change reaches the edge within a second: asks until the threshold is the new one. */
async function judgedBy(threshold: number): Promise<Awaited<ReturnType<typeof judged>>> {
  for (;;) {
    const judgement = await judged()
    if (judgement.record.threshold === threshold) return judgement
    await sleep(50)
  }
}

/** Thresholds differ from row to row, so a row recognizes its configuration. */
const rows = [
  { levels: [1, 2, 3], threshold: 25, score: 26, acts: true },
  { levels: [1, 2, 3], threshold: 40, score: 26, acts: false },
  { levels: [1, 2, 3], threshold: 26, score: 26, acts: true },
  { levels: [1, 2, 3], threshold: 27, score: 26, acts: false },
  { levels: [1, 2, 3, 4], threshold: 31, score: 31, acts: true },
  { levels: [1, 2], threshold: 19, score: 18, acts: false },
  { levels: [1], threshold: 5, score: 5, acts: true },
]

for (const { levels, threshold, score, acts } of rows) {
  test(`7.5 levels ${levels.join(', ')} come to ${score} of ${threshold}`, async () => {
    await deploy(levels, threshold)
    const { status, mitigated, record } = await judgedBy(threshold)
    assert.deepEqual([status, mitigated], acts ? [403, 'challenge'] : [200, null])
    assert.equal(record.score, score)
    const expected = rules.flatMap(({ level, matches, points }, at) =>
      matches && levels.includes(level) ? [{ id: 942100 + at, score: points }] : [],
    )
    const scored = record.matched.filter(match => match.score > 0)
    assert.deepEqual(
      scored.map(match => ({ id: match.id, score: match.score })),
      expected,
    )
  })
}
