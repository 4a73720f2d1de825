import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyOf, sharesOf, type Work } from './shares.ts'

const logs = Array.from({ length: 8 }, (_, n) => `nats/nats-${n + 1}`)

/** A job of an account has records in every part, one of a zone in one of them. */
function worksOf(account: number, zones: readonly string[]): readonly Work[] {
  const works: Work[] = []
  for (let jobId = 0; jobId < account; jobId++)
    works.push(...[...logs, 'nats/nats'].map(log => ({ jobId, log, busy: log !== 'nats/nats' })))
  for (const [n, zone] of zones.entries())
    works.push(...[...logs, 'nats/nats'].map(log => ({ jobId: 1000 + n, log, busy: log === zone })))
  return works
}

function tally(works: readonly Work[], shares: ReadonlyMap<string, string>) {
  const busy = new Map<string, number>()
  const readers = new Map<string, Set<string>>()
  for (const work of works) {
    const location = shares.get(keyOf(work))!
    assert.ok(location, `${keyOf(work)} belongs to no process`)
    readers.set(work.log, (readers.get(work.log) ?? new Set()).add(location))
    if (work.busy) busy.set(location, (busy.get(location) ?? 0) + 1)
  }
  return { busy, readers }
}

test('each process has an equal share, and few read the same part', () => {
  for (const works of [worksOf(1, []), worksOf(20, []), worksOf(0, logs), worksOf(3, [...logs, ...logs])])
    for (const count of [1, 2, 3, 4, 8]) {
      const locations = Array.from({ length: count }, (_, n) => `machine-${n}`)
      const { busy, readers } = tally(works, sharesOf(works, locations))
      const units = works.filter(work => work.busy).length
      for (const location of locations) {
        const share = busy.get(location) ?? 0
        assert.ok(share === Math.floor(units / count) || share === Math.ceil(units / count), `${share}`)
      }
      const reads = [...readers.values()].reduce((sum, { size }) => sum + size, 0)
      assert.ok(reads < readers.size + count, `${reads} readers of ${readers.size} parts, ${count} processes`)
    }
})

test('the jobs of one busy zone are divided among all processes', () => {
  const works = worksOf(
    0,
    Array.from({ length: 20 }, () => 'nats/nats-3'),
  )
  const { busy } = tally(works, sharesOf(works, ['a', 'b', 'c', 'd']))
  assert.deepEqual([...busy.values()], [5, 5, 5, 5])
})

test('a process that starts or ends moves little beside its share, and the order of the lists does not matter', () => {
  const works = worksOf(4, [...logs, ...logs])
  const locations = ['a', 'b', 'c', 'd', 'e']
  const all = sharesOf(works, locations)
  assert.deepEqual(
    new Map([...sharesOf(works.toReversed(), locations.toReversed())].sort()),
    new Map([...all].sort()),
  )
  for (const gone of locations) {
    const left = sharesOf(
      works,
      locations.filter(location => location !== gone),
    )
    const busy = works.filter(work => work.busy)
    const moved = busy.filter(
      work => all.get(keyOf(work)) !== gone && all.get(keyOf(work)) !== left.get(keyOf(work)),
    )
    assert.ok(moved.length <= busy.length / 2, `${moved.length} of ${busy.length} moved when ${gone} ended`)
  }
})
