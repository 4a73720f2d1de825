import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiFailure } from '../../../api/failure.ts'
import { type Progress, readExport } from './save-export.ts'

/** The API's response, without the network. */
function answering(make: () => Response): void {
  globalThis.fetch = async (_address, init) => {
    init?.signal?.throwIfAborted()
    return make()
  }
}

function streamed(chunks: readonly string[], end: 'whole' | 'broken'): Response {
  const waiting = chunks.map(chunk => new TextEncoder().encode(chunk))
  return new Response(
    new ReadableStream<Uint8Array>({
      pull(controller) {
        const next = waiting.shift()
        if (next !== undefined) controller.enqueue(next)
        else if (end === 'whole') controller.close()
        else controller.error(new Error('reset'))
      },
    }),
  )
}

const never = new AbortController().signal

test('an export is complete regardless of its chunks, and its lines are counted', async () => {
  const line = `${'x'.repeat(1023)}\n`
  const many = Array.from({ length: 9 }, () => line.repeat(1024))
  for (const chunks of [[], ['a\nb', 'c\n'], many]) {
    answering(() => streamed(chunks, 'whole'))
    const told: Progress[] = []
    const content = await readExport('zone', { format: 'ndjson' }, never, progress => told.push(progress))
    const text = chunks.join('')
    assert.equal(await content.text(), text)
    assert.equal(told.length, chunks.length)
    if (text !== '') assert.deepEqual(told.at(-1), { bytes: text.length, lines: text.split('\n').length - 1 })
  }
})

test('an export that ends early is a failure without a file', async () => {
  answering(() => streamed(['a\n'], 'broken'))
  await assert.rejects(
    readExport('zone', {}, never, () => {}),
    /the connection ended early; nothing was saved/,
  )
})

test('an API error is passed on', async () => {
  const errors = [{ code: 1, message: 'four exports run already' }]
  answering(() => Response.json({ success: false, errors }, { status: 429 }))
  await assert.rejects(
    readExport('zone', {}, never, () => {}),
    (error: unknown) =>
      error instanceof ApiFailure && error.status === 429 && error.message === errors[0]!.message,
  )
})

test('a stopped export ends with the reason', async () => {
  const control = new AbortController()
  answering(() => streamed(['a\n'], 'whole'))
  control.abort()
  await assert.rejects(
    readExport('zone', {}, control.signal, () => {}),
    /abort/i,
  )
})
