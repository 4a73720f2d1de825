import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { aBatch, deliverTo, readFrom } from '../../testing/batch.ts'
import { eventually } from '../../testing/delivery.ts'
import { onThisMachine } from '../../testing/destinations.ts'
import { checkDestination } from '../destination.ts'
import { openFiles } from './deliver.ts'
import { fileSink } from './target.ts'

async function aFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-files-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('parsing a file: destination', () => {
  const rows: [text: string, folder: string | undefined][] = [
    ['file:///var/log/{DATE}', '/var/log/{DATE}'],
    ['file:///a%20b', '/a b'],
    ['file:./logs', 'logs'],
    ['file:./logs/{DATE}/', 'logs/{DATE}'],
    ['file:./', ''],
    ['file:./logs/../a', 'a'],
    ['file:logs', undefined],
    ['file:', undefined],
    ['file:./../logs', undefined],
    ['file:..', undefined],
    ['file:./a\0', undefined],
    ['file://host/logs', undefined],
    ['file:///logs?a=b', undefined],
    ['file:./logs?a=b', undefined],
    ['file:///logs%00', undefined],
    ['file:///logs/', '/logs'],
    ['file:///', '/'],
    ['file:./logs?manifest=hourly', 'logs'],
    ['file:///logs%2Fa', undefined],
  ]
  for (const [text, folder] of rows) {
    const target = fileSink.parse(text)
    assert.equal(target.ok ? target.value.folder : undefined, folder, text)
  }
})

test('a batch is one complete file, which a second write under its name does not change', async t => {
  const folder = await aFolder(t)
  const path = join(folder, 'a', 'b', 'one.log.gz')
  await deliverTo(`file://${folder}`, aBatch(['{}'], { path, content: Buffer.from('zipped') }))
  const again = deliverTo(`file://${folder}`, aBatch(['{}'], { path, content: Buffer.from('zip') }))
  await assert.rejects(again, { code: 'name-taken', retry: 'never' })
  assert.deepEqual(await readdir(join(folder, 'a', 'b')), ['one.log.gz'])
  assert.equal(await readFile(path, 'utf8'), 'zipped')
  assert.equal(await readFrom(`file://${folder}`, path), 'zipped')
})

test('an abandoned attempt does not write into a complete file', async t => {
  const folder = await aFolder(t)
  const path = join(folder, 'one.log.gz')
  const gzip = Buffer.from('zipped')
  const sink = openFiles(tmpdir())
  const batch = aBatch(['{}'], { path, content: gzip })
  const patient = new AbortController().signal
  // A file system that does not answer yet.
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  const handle = await open(folder)
  const sync = t.mock.method(Object.getPrototypeOf(handle) as FileHandle, 'sync', () => {
    asked.resolve()
    return answer.promise
  })
  await handle.close()
  const abandoned = new AbortController()
  const first = sink.put(batch, abandoned.signal)
  await asked.promise
  abandoned.abort()
  await assert.rejects(first, { code: 'timeout' })
  await assert.rejects(sink.put(batch, patient), { code: 'busy', retry: 'later' })
  assert.deepEqual(await readdir(folder), ['one.log.gz.partial'])
  sync.mock.restore()
  answer.resolve()
  await eventually(() => assert.rejects(sink.put(batch, patient), { code: 'name-taken' }))
  assert.deepEqual(await readdir(folder), ['one.log.gz'])
  assert.deepEqual(await readFile(path), gzip)
})

test('leftovers of an attempt, and foreign files, are replaced', async t => {
  const folder = await aFolder(t)
  const path = join(folder, 'one.log.gz')
  execFileSync('sh', ['-c', 'mkfifo "$0"', `${path}.partial`])
  assert.equal(
    await deliverTo(`file://${folder}`, aBatch(['{}'], { path, content: Buffer.from('zipped') })),
    undefined,
  )
  assert.deepEqual(await readdir(folder), ['one.log.gz'])
})

test('the test upload leaves nothing', async t => {
  const folder = await aFolder(t)
  assert.deepEqual(await checkDestination(`file://${folder}`, onThisMachine), { valid: true, message: '' })
  assert.deepEqual(await readdir(folder), [])
})

test('a path that cannot be written is reported in words', async t => {
  const folder = await aFolder(t)
  await writeFile(join(folder, 'plain'), '')
  const rows: [destination: string, words: RegExp][] = [
    [
      `file://${folder}/plain/logs`,
      /ENOTDIR, a part of the path is a file, not a folder \(failed step: write\)/,
    ],
    ['file:///proc/nowhere', / proc\/nowhere.* cannot be written: \w+.*failed step: write/],
    ['file:///proc/self/nowhere/deep/er', /cannot be written/],
    ['file:///dev/null/logs', /ENOTDIR/],
  ]
  for (const [destination, words] of rows) {
    const { valid, message } = await checkDestination(destination, { reach: 'public', directory: '/' })
    assert.equal(valid, false, destination)
    assert.match(message, words)
  }
})

test('files lie in the directory of all file destinations, regardless of paths and links', async t => {
  const directory = await aFolder(t)
  const elsewhere = await aFolder(t)
  await symlink(elsewhere, join(directory, 'link'))
  await symlink(join(elsewhere, 'nowhere'), join(directory, 'dangling'))
  await mkdir(join(directory, 'own'))
  await symlink(join(directory, 'own'), join(directory, 'inner'))
  const entrance = join(elsewhere, 'entrance')
  await symlink(directory, entrance)
  const check = (destination: string) => checkDestination(destination, { reach: 'public', directory })
  for (const destination of [
    'file:./',
    'file:./logs/{DATE}',
    'file:./inner/logs',
    `file://${directory}/absolute`,
    `file://${directory}/own/../own`,
    `file://${entrance}/logs`,
  ])
    assert.deepEqual(await check(destination), { valid: true, message: '' }, destination)
  for (const destination of [
    `file://${elsewhere}`,
    `file://${directory}/../${basename(elsewhere)}`,
    `file://${directory}-beside`,
    'file:///etc/sluice',
    'file:///proc/self/cwd/x',
    'file:./link',
    'file:./link/deeper/logs',
    'file:./dangling/logs',
  ]) {
    const { valid, message } = await check(destination)
    assert.equal(valid, false, destination)
    assert.match(message, /is not in the directory that SLUICE_DESTINATION_DIRECTORY names|cannot be written/)
  }
  assert.deepEqual(await readdir(elsewhere), ['entrance'])
})

test('a path outside of the directory is refused in the same words, regardless of the files there', async t => {
  const root = await aFolder(t)
  const directory = join(root, 'exports')
  await mkdir(join(root, 'private'))
  await mkdir(directory)
  await symlink(root, join(directory, 'link'))
  await writeFile(join(root, 'private', 'there'), '')
  for (const destination of [
    `file://${root}/private/there/a`,
    `file://${root}/private/there/a/b`,
    `file://${root}/private/absent/a`,
    `file://${root}/private/${'x'.repeat(300)}/a`,
    'file:./link/private/there/a',
    'file:./link/private/absent/a',
  ]) {
    const { message } = await checkDestination(destination, { reach: 'public', directory })
    assert.match(message, /is not in the directory that SLUICE_DESTINATION_DIRECTORY names/, destination)
  }
  assert.deepEqual(await readdir(join(root, 'private')), ['there'])
})

test('the directory is created; messages name paths relative to it', async t => {
  const directory = join(await aFolder(t), 'exports')
  const check = (destination: string) => checkDestination(destination, { reach: 'public', directory })
  assert.deepEqual(await check('file:./logs'), { valid: true, message: '' })
  await writeFile(join(directory, 'plain'), '')
  for (const destination of ['file:./plain/logs', `file://${directory}/plain/logs`]) {
    const { message } = await check(destination)
    assert.match(
      message,
      /error writing object: plain\/logs\/sluice-test-\w+\.txt\.gz cannot be written: ENOTDIR/,
    )
    assert.ok(!message.includes(directory))
  }
})
