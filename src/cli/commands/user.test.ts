import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { productEntry } from '../../../test/support/product.ts'
import { newCipher } from '../../kit/cipher.ts'
import { hashSecret } from '../../kit/secrets.ts'
import { bareEnvironment } from '../../kit/testing/bare-environment.ts'
import { openSqliteStore, type Store } from '../../store/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-user-'))
const secretKey = '07'.repeat(32)
const accountId = 'f'.repeat(32)
let store: Store
before(async () => {
  const cipher = newCipher(Buffer.from(secretKey, 'hex'))
  store = await openSqliteStore(join(folder, 'sluice.db'), { migrate: true, cipher })
  await store.accounts.insert({ id: accountId, name: 'a', createdOn: '2026-01-02T03:04:05.000006Z' })
})
after(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

function user(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [productEntry, 'user', ...words, '--data', folder],
    {
      encoding: 'utf8',
      env: { ...bareEnvironment, SLUICE_SECRET_KEY: secretKey },
    },
  )
  return { status, stdout, stderr }
}

test('a user is added with an invitation, gets another role, and is removed', async () => {
  const { status, stdout, stderr } = user('add', 'Ann@example.com', '--role', 'editor')
  assert.equal(status, 0, stderr)
  const secret = /^\/invitation#(\S+)\n$/.exec(stdout)?.[1] ?? ''
  assert.equal((await store.users.byInvitation(hashSecret(secret)))?.email, 'ann@example.com')
  const changed = user('add', 'ann@example.com', '--role', 'analyst')
  assert.equal(changed.stdout, `ann@example.com is analyst of account ${accountId}\n`)
  assert.equal(user('list').stdout, `ann@example.com  analyst  ${accountId}  invited\n`)
  assert.equal(user('remove', 'ann@example.com').stdout, 'ann@example.com is removed\n')
  assert.equal(await store.users.byEmail('ann@example.com'), undefined)
  const trail = await store.audit.list(accountId, { offset: 0, limit: 9, direction: 'asc' })
  assert.deepEqual(
    trail.map(({ action, resource }) => `${action} ${resource.kind}`),
    ['create member', 'create invitation', 'update member', 'delete member'],
  )
})

test('a command that is wrong says how it is used', () => {
  assert.match(user('add', 'ann@example.com').stderr, /--role is administrator, editor or analyst/)
  assert.match(user('add', 'ann', '--role', 'editor').stderr, /not an e-mail address/)
  assert.match(user('invite', 'who@example.com').stderr, /there is no user who@example.com/)
})
