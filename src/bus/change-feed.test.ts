import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChangeSource, createChangeFeed } from './index.ts'
import type { Change } from './port.ts'

/** A source in memory that can be made to fail. */
class Entries implements ChangeSource {
  readonly changes: Change[] = []
  failing = false

  add(count: number): void {
    for (let n = 0; n < count; n++) {
      this.changes.push({ sequence: this.changes.length + 1, kind: 'zone', id: `${this.changes.length}` })
    }
  }

  async after(sequence: number): Promise<readonly Change[]> {
    if (this.failing) throw new Error('away')
    return this.changes.slice(sequence, sequence + 1000)
  }

  async head(): Promise<number> {
    if (this.failing) throw new Error('away')
    return this.changes.length
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(resolve => setTimeout(resolve, 5))
}

function unexpected(error: unknown): void {
  assert.fail(String(error))
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, n) => first + n)
}

test('every subscriber hears what comes after the feed began, in order, once', async () => {
  const entries = new Entries()
  entries.add(3)
  const feed = await createChangeFeed(entries, unexpected)
  const heard: number[][] = [[], []]
  const stops = heard.map(own => feed.subscribe(change => own.push(change.sequence)))
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

test('failed polls are told and caught up on', async () => {
  const entries = new Entries()
  const errors: unknown[] = []
  const heard: number[] = []
  const feed = await createChangeFeed(entries, error => errors.push(error))
  feed.subscribe(change => heard.push(change.sequence))
  entries.failing = true
  entries.add(5)
  await until(() => errors.length === 2)
  assert.deepEqual(heard, [])
  entries.failing = false
  await until(() => heard.length === 5)
  assert.deepEqual(heard, range(1, 5))
  await feed.close()
})

test('a subscriber that throws does not keep the others from hearing', async () => {
  const entries = new Entries()
  const errors: unknown[] = []
  const heard: number[] = []
  const feed = await createChangeFeed(entries, error => errors.push(error))
  feed.subscribe(() => assert.fail('mistake'))
  feed.subscribe(change => heard.push(change.sequence))
  entries.add(2)
  await until(() => heard.length === 2)
  assert.equal(errors.length, 2)
  await feed.close()
})

test('a source that is away at the start is an error', async () => {
  const entries = new Entries()
  entries.failing = true
  await assert.rejects(createChangeFeed(entries, unexpected), /away/)
})
