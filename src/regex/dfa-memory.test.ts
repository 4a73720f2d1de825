import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Evictable, MemoryPool } from './dfa-memory.ts'

class Cache implements Evictable {
  emptied = 0
  readonly tell: (bytes: number) => void

  constructor(pool: MemoryPool) {
    this.tell = pool.join(this)
  }

  empty(): void {
    this.emptied++
    this.tell(0)
  }
}

describe('the memory of all automata', () => {
  it('empties none up to the limit', () => {
    const pool = new MemoryPool(100)
    const caches = [new Cache(pool), new Cache(pool)]
    caches[0]!.tell(60)
    caches[1]!.tell(40)
    assert.deepEqual([pool.bytes, ...caches.map(cache => cache.emptied)], [100, 0, 0])
  })

  it('empties those that grew longest ago, until a quarter is free', () => {
    const pool = new MemoryPool(100)
    const caches = Array.from({ length: 4 }, () => new Cache(pool))
    for (const cache of caches) cache.tell(25)
    caches[0]!.tell(26)
    assert.deepEqual(
      caches.map(cache => cache.emptied),
      [0, 1, 1, 0],
    )
    assert.equal(pool.bytes, 51)
  })

  it('never empties the one that grows', () => {
    const pool = new MemoryPool(100)
    const [small, large] = [new Cache(pool), new Cache(pool)]
    small.tell(10)
    large.tell(500)
    assert.deepEqual([small.emptied, large.emptied, pool.bytes], [1, 0, 500])
  })
})
