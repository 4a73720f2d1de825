import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { productEntry } from '../../../test/support/product.ts'
import { encryptMatchedData } from '../../kit/matched-data.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-keys-'))
after(() => rmSync(folder, { recursive: true }))

function sluice(words: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [productEntry, 'keys', ...words], {
    input,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** @source cloudflare/matched-data-cli */
const key = 'uBS5eBttHrqkdY41kbZPdvYnNz8Vj0TvKIUpjB1y/GA='
const blob =
  'AzTY6FHajXYXuDMUte82wrd+1n5CEHPoydYiyd3FMg5IEQAAAAAAAAA0lOhGXBclw8pWU5jbbYuepSIJN5JohTtZekLliJBlVWk='

test('an upstream key file and blob are read, from a file and from standard input', () => {
  const keyFile = file('key', `${key}\n`)
  for (const answer of [
    sluice(['decrypt', '-k', keyFile, file('blob', `${blob}\n`)]),
    sluice(['decrypt', '-', '-k', keyFile], `${blob}\n`),
    sluice(['decrypt', '-k', keyFile], blob),
  ])
    assert.deepEqual(answer, { status: 0, stdout: 'test matched data', stderr: '' })
})

test('a payload encrypted for a new pair is decrypted with its file', async () => {
  const made = sluice(['generate'])
  assert.equal(made.status, 0)
  const { public_key: publicKey } = JSON.parse(made.stdout) as { public_key: string }
  const encrypted = await encryptMatchedData(publicKey, 'é')
  assert.equal(sluice(['decrypt', '-k', file('pair.json', made.stdout)], encrypted).stdout, 'é')
})

test('each fault is reported, and the command fails', async t => {
  const keyFile = file('key', key)
  const rows: [name: string, words: string[], input: string, status: number, message: RegExp][] = [
    ['no verb', [], '', 2, /sluice keys generate/],
    ['an unknown flag', ['decrypt', '-x', keyFile], '', 2, /keys decrypt -k/],
    ['no key', ['decrypt', '-'], blob, 2, /keys decrypt -k/],
    ['no such key file', ['decrypt', '-k', join(folder, 'none')], blob, 1, /none cannot be read/],
    ['JSON without a key', ['decrypt', '-k', file('bad.json', '{"a":1}')], blob, 1, /without a private_key/],
    ['a cut blob', ['decrypt', '-k', keyFile], blob.slice(0, 80), 1, /cut off/],
    ['another version', ['decrypt', '-k', keyFile], `B${blob.slice(1)}`, 1, /version 7/],
  ]
  for (const [name, words, input, status, message] of rows)
    await t.test(name, () => {
      const answer = sluice(words, input)
      assert.equal(answer.status, status)
      assert.equal(answer.stdout, '')
      assert.match(answer.stderr, message)
    })
})
