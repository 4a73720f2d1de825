import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  fillSegments,
  newSpool,
  openSpool,
  plenty,
  readFrom,
  segmentsOf,
  startWriter,
} from '../../testing/spool.ts'

const rounds = 12

test(`a writer that is killed ${rounds} times loses nothing acknowledged, and no number changes its record`, async () => {
  const directory = newSpool()
  /** By sequence, from 1, as readers have ever seen them. */
  const seen: string[] = []
  let acknowledged = -1
  for (let round = 0; round < rounds; round++) {
    const child = startWriter(directory, seen.length, round % 3 === 0 ? 'interval' : 'always')
    await once(child.process.stdout, 'data')
    // A following reader sees records that the next writer must not change.
    const live = openSpool(directory)
    const following = await live.reader()
    const endMs = performance.now() + Math.random() * 60
    do await follow(following, seen)
    while (performance.now() < endMs)
    child.process.kill('SIGKILL')
    acknowledged = Math.max(acknowledged, await child.ended)
    await live.close()

    const log = openSpool(directory)
    const records = await readFrom(await log.reader())
    assert.deepEqual(
      records.map(({ sequence, record }) => [sequence, numberIn(record)]),
      records.map((_, index) => [index + 1, index]),
    )
    assert.ok(records.length > acknowledged, `${records.length} records, ${acknowledged} acknowledged`)
    assert.ok(records.length >= seen.length)
    for (const [index, record] of seen.entries()) assert.equal(records[index]!.record, record)
    seen.push(...records.slice(seen.length).map(({ record }) => record))
    await log.close()
  }
})

test('a start reads the newest segment only', {
  skip: !existsSync('/proc/self/io') && 'no /proc',
}, async () => {
  const directory = newSpool()
  const policy = { bytes: 128 * 1024 * 1024 }
  const first = openSpool(directory, policy)
  const count = await fillSegments(first, directory, 4, 500_000)
  await first.close()
  const segments = segmentsOf(directory)
  for (const older of segments.slice(0, -1)) assert.ok(statSync(older).size > 7_000_000)
  const before = bytesRead()
  const log = openSpool(directory, policy)
  const writer = await log.writer('w')
  const reader = await log.reader()
  assert.equal(await reader.head('w'), count)
  const read = bytesRead() - before
  assert.ok(read < 3_000_000, `${read} bytes were read`)
  // The content of the others does not matter.
  for (const older of segments.slice(0, -1)) writeFileSync(older, 'damaged')
  writer.append('"next"')
  await writer.flush()
  assert.deepEqual(
    (await reader.read('w', count, plenty)).map(({ sequence }) => sequence),
    [count + 1],
  )
  await log.close()
})

async function follow(
  reader: Awaited<ReturnType<ReturnType<typeof openSpool>['reader']>>,
  seen: string[],
): Promise<void> {
  const got = await reader.read('w', seen.length, { records: 500, bytes: 1e6 })
  for (const { sequence, record } of got) {
    assert.equal(sequence, seen.length + 1)
    seen.push(record)
  }
  await sleep(1)
}

function numberIn(record: string): number {
  return (JSON.parse(record) as { n: number }).n
}

/** Memory of this process, in files and elsewhere. */
function bytesRead(): number {
  return Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'latin1'))![1])
}
