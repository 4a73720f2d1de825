import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { productEntry } from '../../../test/support/product.ts'
import { newCipher } from '../../kit/cipher.ts'
import { bareEnvironment } from '../../kit/testing/bare-environment.ts'
import { openSqliteStore, type Store } from '../../store/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-tokens-'))
const secretKey = '07'.repeat(32)
const zoneId = '0123456789abcdef0123456789abcdef'
let store: Store
before(async () => {
  const cipher = newCipher(Buffer.from(secretKey, 'hex'))
  store = await openSqliteStore(join(folder, 'sluice.db'), { migrate: true, cipher })
  const time = '2026-01-02T03:04:05.000006Z'
  const accountId = 'f'.repeat(32)
  await store.accounts.insert({ id: accountId, name: 'a', createdOn: time })
  const times = { createdOn: time, modifiedOn: time }
  const originUrl = 'http://127.0.0.1:9'
  await store.zones.insert({
    id: zoneId,
    accountId,
    name: 'shop.test',
    originUrl,
    paused: false,
    type: 'full' as const,
    ...times,
  })
})
after(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

function create(name: string, ...flags: readonly string[]) {
  const words = ['tokens', 'create', name, ...flags, '--data', folder]
  const { status, stderr } = spawnSync(process.execPath, [productEntry, ...words], {
    encoding: 'utf8',
    env: { ...bareEnvironment, SLUICE_SECRET_KEY: secretKey },
  })
  return { status, stderr }
}

test('a token for one zone has permissions of this zone only', async () => {
  const permissions = 'Zone Read, Logs Write'
  assert.deepEqual(create('ci', '--permissions', permissions, '--zone', 'shop.test'), {
    status: 0,
    stderr: '',
  })
  const made = (await store.tokens.list()).find(({ name }) => name === 'ci')
  assert.deepEqual(
    made?.policies.map(({ resources }) => resources),
    [{ [`com.cloudflare.api.account.zone.${zoneId}`]: '*' }],
  )
  assert.equal(made?.policies[0]?.permissionGroups.length, 2)
})

test('a permission that cannot be given is reported, and no token is made', async t => {
  const rows: [name: string, flags: string[], status: number, message: RegExp][] = [
    ['unknown', ['--permissions', 'Zone Reed'], 2, /no permission 'Zone Reed'/],
    ['other zone', ['--permissions', 'Zone Read', '--zone', 'x.test'], 1, /no zone x\.test/],
    ['zone alone', ['--zone', 'shop.test'], 2, /--zone needs --permissions/],
    [
      'account',
      ['--permissions', 'Zone Read,Account WAF Write', '--zone', 'shop.test'],
      2,
      /'Account WAF Write' is not a permission of zones/,
    ],
  ]
  for (const [name, flags, status, message] of rows)
    await t.test(name, async () => {
      const answer = create(name, ...flags)
      assert.equal(answer.status, status)
      assert.match(answer.stderr, message)
      assert.ok(!(await store.tokens.list()).some(token => token.name === name))
    })
})
