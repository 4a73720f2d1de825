import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
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

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

describe('the memory of all automata', () => {
  it('gets back the bytes of a cache that was collected', async () => {
    const pool = new MemoryPool(100)
    const held = new Cache(pool)
    held.tell(10)
    new Cache(pool).tell(60)
    for (let i = 0; i < 100 && pool.bytes > 10; i++) {
      collectGarbage()
      await new Promise(setImmediate)
    }
    assert.equal(pool.bytes, 10)
    assert.equal(held.emptied, 0)
  })

  it('empties none up to the limit', () => {
    const pool = new MemoryPool(100)
    const caches = [new Cache(pool), new Cache(pool)]
    caches[0]!.tell(60)
    caches[1]!.tell(40)
    assert.deepEqual([pool.bytes, ...caches.map(cache => cache.emptied)], [100, 0, 0])
  })

  it('empties the caches that grew longest ago, until a quarter is free', () => {
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

  it('never empties the growing cache', () => {
    const pool = new MemoryPool(100)
    const [small, large] = [new Cache(pool), new Cache(pool)]
    small.tell(10)
    large.tell(500)
    assert.deepEqual([small.emptied, large.emptied, pool.bytes], [1, 0, 500])
  })
})
