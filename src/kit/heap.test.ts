import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectGarbage } from './heap.ts'

test('garbage is gone, and nothing else', () => {
  const kept = { text: 'kept' }
  const garbage = new WeakRef({ text: 'garbage' })
  return new Promise<void>(resolve => {
    // A WeakRef holds its object until the end of the turn.
    setImmediate(() => {
      collectGarbage()
      assert.equal(garbage.deref(), undefined)
      assert.equal(kept.text, 'kept')
      assert.equal('gc' in globalThis, false)
      resolve()
    })
  })
})
