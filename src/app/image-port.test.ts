import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MessageChannel } from 'node:worker_threads'
import { imagesOver, serveImages } from './image-port.ts'

test('each question gets its own answer, and images are shared', async t => {
  const { port1, port2 } = new MessageChannel()
  t.after(() => port1.close())
  const image = new SharedArrayBuffer(8)
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  serveImages(port1, {
    async imageFor(version, key) {
      if (key === 'late') await held
      if (key === 'broken') throw new Error('the rules do not compile')
      return version === 1 ? image : undefined
    },
  })
  const images = imagesOver(port2)
  const late = images.imageFor(1, 'late')
  const [one, two, broken] = await Promise.all([
    images.imageFor(1, 'rules'),
    images.imageFor(2, 'other rules'),
    images.imageFor(1, 'broken'),
  ])
  assert.deepEqual([two, broken], [undefined, undefined])
  new Uint8Array(image)[3] = 7
  assert.equal(new Uint8Array(one!)[3], 7)
  release()
  assert.equal(new Uint8Array((await late)!)[3], 7)
})
