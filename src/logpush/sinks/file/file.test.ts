import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkDestination } from '../../destination.ts'
import { aBatch, deliverTo } from '../batch.test-support.ts'
import type { SinkError } from '../sink.ts'
import { openFiles } from './deliver.ts'
import { fileSink } from './target.ts'

async function aFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-files-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('what a file: destination says', () => {
  const rows: [text: string, folder: string | undefined][] = [
    ['file:///var/log/{DATE}', '/var/log/{DATE}'],
    ['file:///a%20b', '/a b'],
    ['file:./logs', join(process.cwd(), 'logs')],
    ['file://host/logs', undefined],
    ['file:logs', undefined],
    ['file:///logs?a=b', undefined],
    ['file:./logs?a=b', undefined],
    ['file:///logs%00', undefined],
    ['file:///logs/', '/logs'],
    ['file:///', '/'],
    ['file:./logs?manifest=hourly', join(process.cwd(), 'logs')],
    ['file:///logs%2Fa', undefined],
  ]
  for (const [text, folder] of rows) {
    const target = fileSink.parse(text)
    assert.equal(target.ok ? target.value.folder : undefined, folder, text)
  }
})

test('a batch is one whole file, also when it is written again', async t => {
  const folder = await aFolder(t)
  const path = join(folder, 'a', 'b', 'one.log.gz')
  // Of the second one records were dropped meanwhile: what is there keeps them.
  for (const gzip of ['zipped', 'zip'])
    await deliverTo(`file://${folder}`, aBatch(['{}'], { path, gzip: Buffer.from(gzip) }))
  assert.deepEqual(await readdir(join(folder, 'a', 'b')), ['one.log.gz'])
  assert.equal(await readFile(path, 'utf8'), 'zipped')
})

test('a file that is whole is not written into by an attempt that was given up', async t => {
  const folder = await aFolder(t)
  const path = join(folder, 'one.log.gz')
  const gzip = Buffer.alloc(8_000_000, 'x')
  const sink = openFiles()
  const batch = aBatch(['{}'], { path, gzip })
  const given = sink.put(batch, AbortSignal.abort()).catch(({ code }: SinkError) => code)
  await assert.rejects(sink.put(batch, AbortSignal.timeout(10_000)), { code: 'busy', retry: 'later' })
  assert.equal(await given, 'timeout')
  const deadlineMs = Date.now() + 10_000
  while (Date.now() < deadlineMs)
    try {
      await sink.put(batch, AbortSignal.timeout(10_000))
      break
    } catch (error) {
      assert.equal((error as SinkError).code, 'busy')
      await sleep(5)
    }
  assert.deepEqual(await readdir(folder), ['one.log.gz'])
  assert.deepEqual(await readFile(path), gzip)
})

test('what an attempt left behind, or somebody put there, is replaced', async t => {
  const folder = await aFolder(t)
  const path = join(folder, 'one.log.gz')
  execFileSync('sh', ['-c', 'mkfifo "$0"', `${path}.partial`])
  assert.equal(
    await deliverTo(`file://${folder}`, aBatch(['{}'], { path, gzip: Buffer.from('zipped') })),
    undefined,
  )
  assert.deepEqual(await readdir(folder), ['one.log.gz'])
})

test('the test upload leaves nothing', async t => {
  const folder = await aFolder(t)
  assert.deepEqual(await checkDestination(`file://${folder}`, 'loopback'), { valid: true, message: '' })
  assert.deepEqual(await readdir(folder), [])
})

test('a path that cannot be written is told in words', async t => {
  const folder = await aFolder(t)
  await writeFile(join(folder, 'plain'), '')
  const rows: [destination: string, words: RegExp][] = [
    [
      `file://${folder}/plain/logs`,
      /ENOTDIR, a part of the path is a file, not a folder \(failed step: write\)/,
    ],
    ['file:///proc/nowhere', /\/proc\/nowhere.* cannot be written: \w+.*failed step: write/],
    ['file:///proc/self/nowhere/deep/er', /cannot be written/],
    ['file:///dev/null/logs', /ENOTDIR/],
  ]
  for (const [destination, words] of rows) {
    const { valid, message } = await checkDestination(destination, 'loopback')
    assert.equal(valid, false, destination)
    assert.match(message, words)
  }
})
