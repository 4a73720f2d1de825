import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { hashSecret } from '../../kit/secrets.ts'
import { readSettings } from '../../model/settings/index.ts'
import { owaspRequestRulesetId } from '../../rulesets/index.ts'
import { openSqliteStore, type Store } from '../../store/index.ts'
import { testCipher } from '../../store/testing/data.ts'
import { bootstrap } from './bootstrap.ts'

const owasp = {
  id: owaspRequestRulesetId,
  name: 'OWASP',
  description: '',
  kind: 'managed',
  phase: 'http_request_firewall_managed',
  version: 1,
  lastUpdated: '2026-05-01T00:00:00.000000Z',
  rules: [
    {
      id: '6179ae15870a4bb7b2d480d4843b323c',
      version: 1,
      action: 'block',
      enabled: true,
      ref: 'r',
      lastUpdated: '2026-05-01T00:00:00.000000Z',
      scoreThreshold: 40,
    },
  ],
} as const

for (const [name, variables] of [
  ['with a generated token', {}],
  ['with a token from the settings', { SLUICE_ADMIN_TOKEN: 'a-token-of-sixteen-and-more' }],
] as const) {
  test(`a first start that was killed is finished by the next, ${name}`, async t => {
    const data = await mkdtemp(join(tmpdir(), 'sluice-first-'))
    t.after(() => rm(data, { recursive: true, force: true }))
    const store = await openSqliteStore(join(data, 'sluice.db'), { migrate: true, cipher: testCipher })
    t.after(() => store.close())
    await store.crs.insert({
      crsVersion: '4',
      digest: 'd',
      origin: 'o',
      files: [],
      managedRulesets: () => [owasp],
    })
    const settings = readSettings({ ...variables, SLUICE_DATA: data })
    assert.ok(settings.ok)
    const site = async () => 'http://127.0.0.1:9'

    const killed: Store = {
      ...store,
      secrets: { ...store.secrets, putOnce: () => Promise.reject(new Error('killed')) },
    }
    await assert.rejects(bootstrap(killed, settings.value, site), /killed/)
    const first = await bootstrap(store, settings.value, site)
    assert.ok(first !== undefined)
    assert.equal(await bootstrap(store, settings.value, site), undefined)

    assert.equal((await store.accounts.list()).length, 1)
    const tokens = await store.tokens.list()
    const file = join(data, 'admin-token')
    const token = (await readFile(file, 'utf8')).trim()
    assert.deepEqual(
      tokens.map(({ hash }) => hash),
      [hashSecret(token)],
    )
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    const given = 'SLUICE_ADMIN_TOKEN' in variables ? variables.SLUICE_ADMIN_TOKEN : undefined
    if (given !== undefined) assert.equal(token, given)
    assert.equal(first.tokenFile, given === undefined ? file : undefined)
    assert.ok(!JSON.stringify(first).includes(token))
    const [zone] = await store.zones.list()
    assert.equal(zone?.name, 'localhost')
    const scope = { kind: 'zone', id: zone.id } as const
    const entryPoint = await store.rulesets.entryPoint(scope, 'http_request_firewall_managed')
    assert.equal(entryPoint?.rules[0]?.action, 'execute')
  })
}
