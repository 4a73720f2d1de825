import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BatchMemory } from './batch-memory.ts'

test('a job collects a quarter of the memory while no other holds any', () => {
  const account = new BatchMemory(4000).account()
  const holding = account.hold()
  assert.equal(account.isOver, false)
  holding.add(999)
  assert.equal(account.isOver, false)
  holding.add(1)
  assert.equal(account.isOver, true)
  holding.add(-1)
  assert.equal(account.isOver, false)
})

test('once a quarter is collected, the jobs with their share are over and the others are not', () => {
  const memory = new BatchMemory(4000)
  const [large, small, none] = [memory.account(), memory.account(), memory.account()]
  const over = () => [large.isOver, small.isOver, none.isOver]
  const of = { large: large.hold(), small: small.hold() }
  of.large.add(900)
  of.small.add(99)
  assert.deepEqual(over(), [false, false, false])
  of.small.add(1)
  assert.deepEqual(over(), [true, false, false])
  of.small.add(400)
  assert.deepEqual(over(), [true, true, false])
  of.large.complete()
  assert.deepEqual(over(), [false, false, false])
})

test('batches in upload count as soon as all batches use half of the memory', () => {
  const memory = new BatchMemory(4000)
  const [hanging, other] = [memory.account(), memory.account()]
  const upload = hanging.hold()
  upload.add(1900)
  upload.complete()
  const next = hanging.hold()
  next.add(50)
  assert.deepEqual([hanging.isOver, other.isOver], [false, false])
  // The share of two is a thousand.
  other.hold().add(50)
  assert.deepEqual([hanging.isOver, other.isOver], [true, false])
  upload.end()
  assert.deepEqual([hanging.isOver, other.isOver], [false, false])
})

test('the memory of a batch is free once, also where a part of it is counted later', () => {
  const memory = new BatchMemory(4000)
  const account = memory.account()
  const [ended, complete, other] = [account.hold(), account.hold(), account.hold()]
  ended.add(400)
  ended.end()
  ended.add(-300)
  ended.end()
  complete.add(900)
  complete.complete()
  complete.add(-200)
  complete.complete()
  other.add(999)
  assert.equal(account.isOver, false)
  other.add(1)
  assert.equal(account.isOver, true)
  other.add(-1)
  complete.add(301)
  assert.equal(account.isOver, true)
})
