import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { newRuleBits } from '../program/rule-bits.ts'
import { Memo, MemoAllowance } from './memo.ts'

const hits = newRuleBits(1)

/** An entry of about `bytes`. */
function fill(memo: Memo, bytes: number): void {
  for (let paid = 0, i = 0; paid < bytes; paid += 164, i++) memo.set(`filler ${i}`.padEnd(100, '.'), null)
}

describe('the memo', () => {
  it('knows its entries, also those without a match', () => {
    const memo = new Memo(new MemoAllowance(100_000))
    memo.set('a', hits)
    memo.set('b', null)
    assert.equal(memo.get('a'), hits)
    assert.equal(memo.get('b'), null)
    assert.equal(memo.get('c'), undefined)
  })

  it('forgets entries that were not used while half the memory was filled, twice', () => {
    const memo = new Memo(new MemoAllowance(20_000))
    memo.set('used', hits)
    memo.set('unused', hits)
    fill(memo, 10_000)
    assert.equal(memo.get('used'), hits)
    fill(memo, 10_000)
    assert.equal(memo.get('used'), hits)
    assert.equal(memo.get('unused'), undefined)
  })

  it('rests while values of a length do not repeat, and tries again later', () => {
    const memo = new Memo(new MemoAllowance(10_000_000))
    memo.set('a', hits)
    memo.set('a value', hits)
    const ask = (count: number) => {
      for (let i = 0; i < count; i++) memo.get(`a longer value ${i}`)
    }
    ask(1024)
    memo.set('a longer value 0', hits)
    assert.equal(memo.get('a longer value 0'), undefined)
    assert.equal(memo.get('a value'), hits)
    let tries = 0
    while (memo.get('another value') === undefined && tries++ < 100_000) memo.set('another value', hits)
    assert.equal(memo.get('another value'), hits)
  })

  it('shares its memory with the others: an unused one releases its part, too', async () => {
    const allowance = new MemoAllowance(20_000)
    const idle = new Memo(allowance)
    const busy = new Memo(allowance)
    const kept = new WeakRef(newRuleBits(100))
    idle.set('a', kept.deref()!)
    await nextTurn()
    collectGarbage()
    assert.notEqual(kept.deref(), undefined)
    fill(busy, 20_000)
    await nextTurn()
    collectGarbage()
    assert.equal(kept.deref(), undefined)
    assert.equal(idle.get('a'), undefined)
  })
})

/** A value shown by a WeakRef stays until the turn is over. */
function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}
