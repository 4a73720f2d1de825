import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inSlices } from '../exchange/slices.ts'
import { edgeSampleLimits } from '../limits.ts'
import { CpuAllowance, measured } from './cpu-allowance.ts'

const { cpuSavedMsMax: saved, cpuShare: share } = edgeSampleLimits

test('saved time can be spent, and overspent time returns at the rate of the share', () => {
  const allowance = new CpuAllowance()
  assert.equal(allowance.has(0), true)
  allowance.spend(saved - 1)
  assert.equal(allowance.has(0), true)
  allowance.spend(2)
  assert.equal(allowance.has(0), false)
  assert.equal(allowance.has(1 / share), false)
  assert.equal(allowance.has(1.1 / share), true)
})

test('saved time is limited, and a clock that goes back costs nothing', () => {
  const allowance = new CpuAllowance()
  assert.equal(allowance.has(0), true)
  assert.equal(allowance.has(1e9), true)
  allowance.spend(saved)
  assert.equal(allowance.has(1e9), false)
  assert.equal(allowance.has(0), false)
  assert.equal(allowance.has(1 / share), true)
})

test('work is measured in each slice, including a failing one', async () => {
  function* work(fails: boolean) {
    yield
    yield
    if (fails) throw new Error('it fails')
    return 'done'
  }
  let slices = 0
  const spent = (ms: number) => {
    assert.ok(ms >= 0)
    slices++
  }
  assert.equal(await inSlices(measured(work(false), spent)), 'done')
  assert.equal(slices, 3)
  await assert.rejects(async () => inSlices(measured(work(true), spent)), /it fails/)
  assert.equal(slices, 6)
})
