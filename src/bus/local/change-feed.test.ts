import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type ChangeSource, createChangeFeed } from '../index.ts'
import type { Change, StoredChange } from '../port.ts'

/** A source in memory that can be made to fail. */
class Entries implements ChangeSource {
  changes: StoredChange[] = []
  failing = false
  reads = 0

  add(count: number): void {
    for (let n = 0; n < count; n++) {
      const sequence = this.changes.length + 1
      this.changes.push({ sequence, kind: 'zone', id: `${sequence - 1}`, mark: randomUUID() })
    }
  }

  async after(sequence: number): Promise<readonly StoredChange[]> {
    this.reads++
    if (this.failing) throw new Error('away')
    const from = Math.max(0, sequence)
    return this.changes.slice(from, from + 1000)
  }

  async head(): Promise<number> {
    if (this.failing) throw new Error('away')
    return this.changes.length
  }
}

/** A source that gives notice of what is added, unless it is silent. */
class NotifyingEntries extends Entries {
  silent = false
  #callback: (reason: 'commit' | 'lost') => void = () => {}

  readonly onNotice = (callback: (reason: 'commit' | 'lost') => void): void => {
    this.#callback = callback
  }

  override add(count: number): void {
    super.add(count)
    if (!this.silent) this.#callback('commit')
  }

  lose(): void {
    this.#callback('lost')
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(resolve => setTimeout(resolve, 5))
}

function sequenceOf(change: Change): number {
  assert.ok(change.kind !== 'everything')
  return change.sequence
}

function unexpected(error: unknown): void {
  assert.fail(String(error))
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, n) => first + n)
}

test('every subscriber gets the changes since the feed began, in order, once', async () => {
  const entries = new Entries()
  entries.add(3)
  const feed = await createChangeFeed(entries, unexpected)
  const heard: number[][] = [[], []]
  const stops = heard.map(own => feed.subscribe(change => own.push(sequenceOf(change))))
  entries.add(2)
  await until(() => heard[1]!.length === 2)
  stops[0]!()
  entries.add(2500)
  await until(() => heard[1]!.length === 2502)
  assert.deepEqual(heard[0], [4, 5])
  assert.deepEqual(heard[1], range(4, 2505))
  await feed.close()
  entries.add(1)
  await new Promise(resolve => setTimeout(resolve, 250))
  assert.equal(heard[1]!.length, 2502)
})

test('failed polls are reported and caught up', async () => {
  const entries = new Entries()
  const errors: unknown[] = []
  const heard: number[] = []
  const feed = await createChangeFeed(entries, error => errors.push(error))
  feed.subscribe(change => heard.push(sequenceOf(change)))
  entries.failing = true
  entries.add(5)
  await until(() => errors.length === 2)
  assert.deepEqual(heard, [])
  entries.failing = false
  await until(() => heard.length === 5)
  assert.deepEqual(heard, range(1, 5))
  await feed.close()
})

test('a subscriber that throws does not affect the others', async () => {
  const entries = new Entries()
  const errors: unknown[] = []
  const heard: number[] = []
  const feed = await createChangeFeed(entries, error => errors.push(error))
  feed.subscribe(() => assert.fail('mistake'))
  feed.subscribe(change => heard.push(sequenceOf(change)))
  entries.add(2)
  await until(() => heard.length === 2)
  assert.equal(errors.length, 2)
  await feed.close()
})

test('an unavailable source at the start is an error', async () => {
  const entries = new Entries()
  entries.failing = true
  await assert.rejects(createChangeFeed(entries, unexpected), /away/)
})

test('a source that went back makes followers reload everything, and continues from there', async t => {
  for (const [name, regrown] of [
    ['and stayed there', 0],
    ['and grew past the follower', 9],
    ['and grew to the same length', 3],
  ] as const) {
    await t.test(name, async () => {
      const entries = new Entries()
      entries.add(5)
      const feed = await createChangeFeed(entries, unexpected)
      const heard: Change[] = []
      feed.subscribe(change => heard.push(change))
      entries.add(1)
      await until(() => heard.length === 1)
      entries.changes = entries.changes.slice(0, 3)
      entries.add(regrown)
      await until(() => heard.length === 2)
      assert.deepEqual(heard[1], { kind: 'everything' })
      entries.add(2)
      await until(() => heard.length === 4)
      assert.deepEqual(heard.slice(2), entries.changes.slice(-2))
      await feed.close()
    })
  }
})

test('a follower of an empty source gets its first change', async () => {
  const entries = new Entries()
  const feed = await createChangeFeed(entries, unexpected)
  const heard: Change[] = []
  feed.subscribe(change => heard.push(change))
  entries.add(1)
  await until(() => heard.length === 1)
  assert.deepEqual(heard, entries.changes)
  await feed.close()
})

test('a source that gives notices is read after each, and hardly ever otherwise', async () => {
  const entries = new NotifyingEntries()
  const feed = await createChangeFeed(entries, unexpected)
  const heard: number[] = []
  feed.subscribe(change => heard.push(sequenceOf(change)))
  await until(() => entries.reads === 2)
  await new Promise(resolve => setTimeout(resolve, 350))
  assert.equal(entries.reads, 2)
  for (const count of [1, 2500]) {
    const wanted = entries.changes.length + count
    entries.add(count)
    await until(() => heard.length === wanted)
  }
  assert.deepEqual(heard, range(1, 2501))
  await feed.close()
})

test('a source whose notices get lost is checked after half a minute, and polled from then on', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const turns = async () => {
    for (let n = 0; n < 10; n++) await new Promise(resolve => setImmediate(resolve))
  }
  const entries = new NotifyingEntries()
  const feed = await createChangeFeed(entries, unexpected)
  const heard: number[] = []
  feed.subscribe(change => heard.push(sequenceOf(change)))
  await turns()
  entries.silent = true
  for (const [at, ms] of [30_000, 100, 100].entries()) {
    entries.add(1)
    await turns()
    assert.equal(heard.length, at)
    t.mock.timers.tick(ms)
    await turns()
    assert.equal(heard.length, at + 1)
  }
  entries.lose()
  await turns()
  entries.add(1)
  t.mock.timers.tick(100)
  await turns()
  assert.equal(heard.length, 4, 'another connection is no reason to expect notices')
  await feed.close()
})
