import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readSettings, type Settings } from '../../model/settings/index.ts'
import { StoreError } from '../../store/index.ts'
import { SecretKeyError, secretKey } from './secret-key.ts'
import { openPreparedStore, openStore } from './stores.ts'

const directory = mkdtempSync(join(tmpdir(), 'sluice-key-'))
after(() => rmSync(directory, { recursive: true, force: true }))

let folders = 0
function settings(flags: Readonly<Record<string, string>> = {}): Settings {
  const data = join(directory, String(++folders))
  const read = readSettings({}, new Map(Object.entries({ data, ...flags })))
  assert.ok(read.ok)
  return read.value
}

const keyed = { 'secret-key': '01'.repeat(32) }
const postgres = { 'database-url': 'postgres://127.0.0.1:1/x' }

const naming = (error: unknown) => error instanceof SecretKeyError && /SLUICE_SECRET_KEY/.test(error.message)

test('a setting has priority, and nothing is written', async () => {
  const given = settings(keyed)
  assert.deepEqual(await secretKey(given, true), new Uint8Array(32).fill(1))
  assert.throws(() => readdirSync(given.data))
})

test('concurrent starts generate one key, and only its owner can read it', async () => {
  const shared = settings()
  const keys = await Promise.all(Array.from({ length: 20 }, () => secretKey(shared, true)))
  for (const key of keys) assert.deepEqual(key, keys[0])
  assert.equal(keys[0]?.length, 32)
  assert.deepEqual(readdirSync(shared.data), ['secret-key'])
  assert.equal(statSync(join(shared.data, 'secret-key')).mode & 0o777, 0o600)
  assert.deepEqual(await secretKey(shared, false), keys[0])
  assert.notDeepEqual(await secretKey(settings(), true), keys[0])
})

test('a role that may not generate a key reports the remedy', async () => {
  await assert.rejects(secretKey(settings(), false), naming)
})

test('a file without a key is refused and stays', async () => {
  const broken = settings()
  await secretKey(broken, true)
  const path = join(broken.data, 'secret-key')
  for (const text of ['', 'hunter2', '0'.repeat(63)]) {
    writeFileSync(path, text)
    for (const make of [true, false]) await assert.rejects(secretKey(broken, make), SecretKeyError)
    assert.equal(readFileSync(path, 'utf8'), text)
  }
  writeFileSync(path, `${'__'.repeat(21)}8=\r\n`)
  assert.equal((await secretKey(broken, false)).length, 32)
})

test('the embedded database is opened again with the key that was made for it, and not without', async () => {
  const own = settings()
  await (await openStore(own, true)).close()
  await (await openStore(own, false)).close()
  await (await openPreparedStore(own)).close()
  rmSync(join(own.data, 'secret-key'))
  await assert.rejects(openStore(own, false), naming)
  const refused = (error: unknown) =>
    error instanceof StoreError && error.code === 'unavailable' && /SLUICE_SECRET_KEY/.test(error.message)
  await assert.rejects(openStore(own, true), refused)
  const other = { ...own, secretKey: new Uint8Array(32) }
  await assert.rejects(openStore(other, true), refused)
  await assert.rejects(openPreparedStore(other), refused)
})

test('with PostgreSQL no key is generated, and no role waits for one', async () => {
  for (const roles of ['control', 'edge', 'delivery']) {
    const remote = settings({ ...postgres, roles })
    await assert.rejects(roles === 'control' ? openStore(remote, true) : openPreparedStore(remote), naming)
    assert.throws(() => readdirSync(remote.data))
  }
})
