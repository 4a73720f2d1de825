import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectAll, collectNew, oldBytes } from '../../kit/testing/garbage.ts'
import { OpenSet } from './open-set.ts'

test('lists what is open, also while it closes', () => {
  const open = new OpenSet<{ readonly name: string; close?: () => void }>()
  const things = ['a', 'b', 'c'].map(name => ({ name, close: () => {} }))
  for (const thing of things) thing.close = open.add(thing)
  things[1]!.close()
  things[1]!.close()
  assert.equal(open.size, 2)
  const listed: string[] = []
  for (const { name, close } of open) {
    listed.push(name)
    close?.()
  }
  assert.deepEqual(listed, ['a', 'c'])
  assert.equal(open.size, 0)
})

test('does not keep what is closed', () => {
  const open = new OpenSet<readonly number[]>()
  const closing = Array.from({ length: 8 }, () => open.add(new Array(1000).fill(0.5)))
  collectAll()
  const before = oldBytes()
  for (let n = 0; n < 1000; n++) {
    closing.push(open.add(new Array(1000).fill(0.5)))
    closing.shift()!()
    if (n % 50 === 0) collectNew()
  }
  const kept = oldBytes() - before
  assert.ok(kept < 1_000_000, `${kept} bytes`)
})
