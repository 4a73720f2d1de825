import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text as textOf } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { Kysely, sql } from 'kysely'
import { productEntry } from '../../test/support/product.ts'
import { miniRelease, writeTree } from '../crs/testing/release.ts'
import { newCipher } from '../kit/cipher.ts'
import { newId } from '../kit/ids.ts'
import { bareEnvironment } from '../kit/testing/bare-environment.ts'
import type { AuditEntry } from '../model/resource.ts'
import { openSqliteStore, type Store, schemaNumber } from '../store/index.ts'
import { migrations } from '../store/migrations/list.ts'
import type { Schema } from '../store/schema.ts'
import { nodeSqliteDialect } from '../store/sqlite/dialect.ts'
import { crsHelp } from './commands/crs/crs.ts'
import { dbHelp } from './commands/db.ts'
import { explainHelp } from './commands/explain/help.ts'
import { keysHelp } from './commands/keys.ts'
import { logsHelp } from './commands/logs/help.ts'
import { tokensHelp } from './commands/tokens.ts'
import { userHelp } from './commands/user.ts'
import { zonesHelp } from './commands/zones.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-commands-'))
const secretKey = '07'.repeat(32)
const accountId = 'f'.repeat(32)
const time = '2026-01-02T03:04:05.000006Z'
const data = join(folder, 'data')
let store: Store
before(async () => {
  const made = sluice('db', 'migrate')
  assert.equal(made.status, 0, made.stderr)
  assert.equal(made.stdout, `the database is at schema ${schemaNumber}\n`)
  const cipher = newCipher(Buffer.from(secretKey, 'hex'))
  store = await openSqliteStore(join(data, 'sluice.db'), { migrate: false, cipher })
  await store.accounts.insert({ id: accountId, name: 'a', createdOn: time })
})
after(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

function sluice(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [productEntry, ...words, ...(words.includes('--data') ? [] : ['--data', data])],
    { encoding: 'utf8', env: { ...bareEnvironment, SLUICE_SECRET_KEY: secretKey } },
  )
  return { status, stdout, stderr }
}

function trail(): Promise<readonly AuditEntry[]> {
  return store.audit.list(accountId, { offset: 0, limit: 100, direction: 'asc' })
}

test('the version equals the version of the package', () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
  const { status, stdout } = sluice('--version')
  assert.deepEqual([status, stdout], [0, `sluice ${version} (Node ${process.versions.node})\n`])
})

test('each command has its own help', () => {
  const main = sluice('--help').stdout
  const names = new Set([...main.matchAll(/^ {2}sluice ([a-z]+)/gm)].map(([, name]) => name!))
  assert.deepEqual([...names].sort(), [
    'backup',
    'config',
    'coverage',
    'crs',
    'db',
    'doctor',
    'explain',
    'export',
    'keys',
    'logs',
    'restore',
    'rollout',
    'serve',
    'sql',
    'supervise',
    'tokens',
    'top',
    'user',
    'zones',
  ])
  for (const name of names) {
    const { status, stdout } = sluice(name, '--help')
    assert.equal(status, 0, name)
    assert.notEqual(stdout, main, name)
    assert.ok(stdout.includes(`sluice ${name}`), name)
  }
  const unknown = sluice('zones', 'list', '--data', data, '--orign')
  assert.match(unknown.stderr, /^sluice: there is no setting --orign;/)
  const wrong = sluice('zones', 'add')
  assert.equal(wrong.status, 2)
  assert.match(wrong.stderr, /npx sluice zones --help/)
})

test('coverage lists stored items, and the resources of a plan without a database', async () => {
  const zone = {
    id: newId(),
    accountId,
    name: 'shop.example',
    originUrl: 'http://127.0.0.1:9',
    paused: false,
  }
  await store.zones.insert({ ...zone, type: 'full', createdOn: time, modifiedOn: time })
  await store.zoneSettings.put(zone.id, [{ id: 'polish', value: 'lossy', modifiedOn: time }])
  const rule = { kind: 'page_rule', id: newId(), createdOn: time, modifiedOn: time }
  const targets = [{ target: 'url', constraint: { operator: 'matches', value: 'shop.example/*' } }]
  const document = { targets, actions: [{ id: 'cache_level', value: 'bypass' }] }
  await store.keptResources.put({ kind: 'zone', id: zone.id }, { ...rule, document })
  const stored = sluice('coverage')
  assert.equal(stored.status, 3, stored.stderr)
  assert.match(
    stored.stdout,
    /^not enforced {2}zone shop\.example: shop\.example\/\* {2}cloudflare_page_rule$/m,
  )
  assert.match(stored.stdout, /^not enforced {2}zone shop\.example: polish/m)
  await store.zones.delete(zone.id)

  const file = join(folder, 'plan.json')
  const resource = (address: string, values: object) => {
    const type = address.split('.')[0]
    return { address, type, mode: 'managed', values }
  }
  const planOf = (...resources: object[]) =>
    writeFileSync(file, JSON.stringify({ planned_values: { root_module: { resources } } }))
  const setting = resource('cloudflare_zone_setting.a', { setting_id: 'http2', value: 'off' })
  planOf(setting, resource('aws_instance.b', {}))
  const none = join(folder, 'none')
  assert.deepEqual(sluice('coverage', file, '--data', none), {
    status: 0,
    stdout:
      'enforced      cloudflare_zone_setting.a\n1 enforced, 0 partly, 0 not enforced, 0 unknown; 1 of other providers\n',
    stderr: '',
  })
  planOf(setting, resource('cloudflare_bot_management.\u001b[31m', { fight_mode: true }))
  const told = sluice('coverage', file, '--json', '--data', none)
  assert.equal(told.status, 3)
  assert.deepEqual(JSON.parse(told.stdout).counts, { unknown: 0, not_enforced: 1, partly: 0, enforced: 1 })
  assert.ok(!sluice('coverage', file).stdout.includes('\u001b'))
  writeFileSync(file, '{}')
  const wrong = sluice('coverage', file)
  assert.equal(wrong.status, 1)
  assert.match(wrong.stderr, /plan\.json cannot be read: .*terraform show -json/)
})

test('an unusable address is reported in one line with its setting, and nothing is created', async () => {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  const taken = `127.0.0.1:${address.port}`
  const other = join(folder, 'other')
  for (const setting of ['--api-listen', '--edge-listen']) {
    const words = ['serve', '--api-listen', '127.0.0.1:0', '--edge-listen', '127.0.0.1:0', setting, taken]
    const { status, stdout, stderr } = sluice(...words, '--data', other)
    assert.equal(status, 1)
    assert.equal(stdout, '')
    assert.match(stderr, new RegExp(`^sluice: ${taken} is taken .*${setting} [^\\n]*\\n$`))
  }
  server.close()
  const { status, stderr } = sluice('serve', '--api-listen', taken, '--edge-listen', taken, '--data', other)
  assert.equal(status, 1)
  assert.match(stderr, /^sluice: .* is also the address of --api-listen .* with --edge-listen [^\n]*\n$/)
  const elsewhere = sluice('serve', '--api-listen', '192.0.2.1:8787', '--data', other)
  assert.match(elsewhere.stderr, /^sluice: 192\.0\.2\.1:8787 is not an address .* --api-listen [^\n]*\n$/)
  assert.equal(existsSync(other), false)
})

test('no command creates or migrates a database', () => {
  const none = join(folder, 'none')
  const commands = [
    ['zones', 'add', 'a.test', '--origin', 'http://127.0.0.1:9'],
    ['tokens', 'create', 'x'],
    ['crs', 'import', '/no/such'],
    ['logs', 'jobs'],
  ]
  const database = new DatabaseSync(join(data, 'sluice.db'))
  const newest = database.prepare('select * from schema_migrations where number = ?').get(schemaNumber)!
  database.prepare('delete from schema_migrations where number = ?').run(schemaNumber)
  try {
    for (const words of commands) {
      const absent = sluice(...words, '--data', none)
      assert.notEqual(absent.status, 0)
      assert.equal(existsSync(none), false, words.join(' '))
      assert.match(absent.stderr, /sluice db migrate/, words.join(' '))
      const older = sluice(...words)
      assert.notEqual(older.status, 0)
      assert.match(older.stderr, /is at schema \d+ of \d+: .*sluice db migrate/, words.join(' '))
    }
    const row = database.prepare('select max(number) as number from schema_migrations').get()
    assert.equal(row?.['number'], schemaNumber - 1)
  } finally {
    const { number, name, applied_on: at } = newest as Record<string, string | number>
    database.prepare('insert into schema_migrations values (?, ?, ?)').run(number!, name!, at!)
    database.close()
  }
})

test('a zone is protected as in the dashboard, or the command says that it is not', async () => {
  const bare = sluice('zones', 'add', 'bare.test', '--origin', 'http://127.0.0.1:9', '--unprotected')
  assert.equal(bare.status, 0, bare.stderr)
  assert.match(bare.stdout, /no rules are deployed/)
  const without = sluice('zones', 'add', 'without.test', '--origin', 'http://127.0.0.1:9')
  assert.equal(without.status, 1)
  assert.match(without.stderr, /the zone was added, but no rules are deployed .*: no OWASP CRS release/)
  const owasp = {
    id: '4814384a9e5d4991b9815dcfc25d2f1f',
    name: 'OWASP Core Ruleset',
    description: '',
    kind: 'managed',
    phase: 'http_request_firewall_managed',
    version: 1,
    lastUpdated: time,
    rules: [],
  } as const
  await store.crs.insert({
    crsVersion: '4',
    digest: 'd',
    origin: 'o',
    files: [],
    managedRulesets: () => [owasp],
  })
  const shop = sluice('zones', 'add', 'shop.test', '--origin', 'http://127.0.0.1:9')
  assert.equal(shop.status, 0, shop.stderr)
  assert.match(shop.stdout, /the OWASP ruleset is deployed/)
  const zones = new Map((await store.zones.list()).map(zone => [zone.name, zone.id]))
  for (const [name, rules] of [
    ['bare.test', undefined],
    ['without.test', undefined],
    ['shop.test', 1],
  ] as const) {
    const scope = { kind: 'zone', id: zones.get(name)! } as const
    const entryPoint = await store.rulesets.entryPoint(scope, 'http_request_firewall_managed')
    assert.equal(entryPoint?.rules.length, rules, name)
    const [rule] = entryPoint?.rules ?? []
    if (rule !== undefined)
      assert.deepEqual(
        [rule.action, rule.expression, rule.actionParameters],
        ['execute', 'true', { id: owasp.id, version: 'latest' }],
      )
  }
})

/** logs.test.ts tests `sluice logs replay`. `sluice crs sync` asks upstream, and then equals `import`. */
const changing = [
  'crs import',
  'crs sync',
  'crs use',
  'db migrate',
  'logs replay',
  'logs search',
  'tokens create',
  'tokens revoke',
  'user add',
  'user invite',
  'user remove',
  'zones add',
]
const reading = [
  'crs diff',
  'crs list',
  'db check',
  'db copy',
  'keys decrypt',
  'keys generate',
  'logs jobs',
  'tokens list',
  'user list',
  'zones list',
]

test('every command is listed as changing something or not', () => {
  const verbs = new Set<string>()
  for (const help of [crsHelp, dbHelp, explainHelp, keysHelp, logsHelp, tokensHelp, userHelp, zonesHelp])
    for (const [, verb] of help.matchAll(/^ *sluice (\w+ [a-z]+)/gm)) verbs.add(verb!)
  assert.deepEqual([...verbs].sort(), [...changing, ...reading].sort())
})

test('changes by commands are in the audit trail, with the user', async () => {
  const before = (await trail()).length
  const made = sluice('tokens', 'create', 'ci')
  assert.equal(made.status, 0, made.stderr)
  const token = (await store.tokens.list()).find(({ name }) => name === 'ci')!
  const release = await writeTree(join(folder, 'release'), miniRelease('4.1.0'))
  const newer = await writeTree(join(folder, 'newer'), miniRelease('4.2.0'))
  const commands = [
    ['tokens', 'revoke', token.id],
    ['zones', 'add', 'told.test', '--origin', 'http://127.0.0.1:9'],
    ['crs', 'import', release],
    ['crs', 'import', newer],
    ['crs', 'use', '4.1.0'],
  ]
  for (const words of commands) {
    const { status, stderr } = sluice(...words)
    assert.equal(status, 0, `${words.join(' ')}: ${stderr}`)
  }
  const told = (await trail()).length
  for (const words of [
    ['tokens', 'revoke', token.id],
    ['zones', 'add', 'told.test', '--origin', 'http://127.0.0.1:9'],
    ['crs', 'import', join(folder, 'none')],
    ['crs', 'use', '99'],
    ['tokens', 'create', 'other', '--permissions', 'Everything'],
  ])
    assert.notEqual(sluice(...words).status, 0, words.join(' '))
  const entries = (await trail()).slice(before)
  assert.equal(entries.length, told - before, 'a command that was refused is in the trail')
  assert.deepEqual(
    entries.map(({ path, action, resource }) => `${path}: ${action} ${resource.kind}`),
    [
      'sluice tokens create: create token',
      'sluice tokens revoke: delete token',
      'sluice zones add: create zone',
      'sluice zones add: create ruleset',
      'sluice crs import: create crs_release',
      'sluice crs import: create crs_release',
      'sluice crs use: update crs_release',
    ],
  )
  for (const { actor, method } of entries) {
    assert.deepEqual(actor, { kind: 'system', id: `cli:${userInfo().username}`, ip: '' })
    assert.equal(method, 'CLI')
  }
  assert.ok(!JSON.stringify(entries).includes(made.stdout.trim()), 'the text of a token is in the trail')
})

test('a database is checked, and copied to an empty one', async () => {
  const checked = sluice('db', 'check')
  assert.equal(checked.status, 0, checked.stderr)
  assert.equal(checked.stdout, `no faults; the database is at schema ${schemaNumber}\n`)
  const copy = join(folder, 'copy')
  mkdirSync(copy)
  const addresses = ['--from', `sqlite:${data}`, '--to', `sqlite:${copy}`]
  const copied = sluice('db', 'copy', ...addresses)
  assert.equal(copied.status, 0, copied.stderr)
  assert.match(copied.stdout, /^\d+ rows of \d+ tables were copied, and their counts are the same\n$/)
  const cipher = newCipher(Buffer.from(secretKey, 'hex'))
  const opened = await openSqliteStore(join(copy, 'sluice.db'), { migrate: false, cipher })
  assert.deepEqual(await opened.accounts.list(), await store.accounts.list())
  await opened.close()
  for (const [words, refused] of [
    [addresses, /is in use: its table accounts has rows\. Copy to an empty one/],
    [['--from', `sqlite:${data}`], /use `sluice db copy --from ADDRESS --to ADDRESS`/],
    [['--from', 'sqlite:/absent.db', '--to', `sqlite:${copy}`], /there is no database \/absent\.db/],
    [['--from', 'mysql://db/x', '--to', `sqlite:${copy}`], /name a database as sqlite:PATH/],
  ] as const) {
    const { status, stderr } = sluice('db', 'copy', ...words)
    assert.notEqual(status, 0)
    assert.match(stderr, refused)
  }
  const faulty = new DatabaseSync(join(copy, 'sluice.db'))
  faulty.exec("update counters set value = 0 where name = 'audit'")
  faulty.close()
  const found = sluice('db', 'check', '--data', copy)
  assert.equal(found.status, 1)
  assert.match(found.stdout, /the counter audit is at 0, .*\n {2}→ restore the newest backup/)
})

test('a migration is in the trail of the existing account', async () => {
  const old = join(folder, 'old')
  mkdirSync(old)
  const cipher = newCipher(Buffer.from(secretKey, 'hex'))
  const db = new Kysely<Schema>({ dialect: nodeSqliteDialect(join(old, 'sluice.db')) })
  await sql`create table schema_migrations (
    number integer primary key, name text not null, applied_on text not null)`.execute(db)
  for (const { number, name, up } of migrations.slice(0, -1)) {
    await up(db, cipher)
    await sql`insert into schema_migrations values (${number}, ${name}, '')`.execute(db)
  }
  await sql`insert into accounts values (${accountId}, '"a"', ${time})`.execute(db)
  await db.destroy()
  for (const words of ['is at schema', 'is at schema .* already']) {
    const { status, stdout, stderr } = sluice('db', 'migrate', '--data', old)
    assert.equal(status, 0, stderr)
    assert.match(stdout, new RegExp(words))
  }
  const migrated = await openSqliteStore(join(old, 'sluice.db'), { migrate: false, cipher })
  const entries = await migrated.audit.list(accountId, { offset: 0, limit: 10 })
  await migrated.close()
  assert.deepEqual(
    entries.map(({ path, action, resource, after }) => [path, action, resource.kind, after]),
    [['sluice db migrate', 'update', 'database', { schema: schemaNumber }]],
  )
})

test('doctor reports each subject with the action to take', async () => {
  const origin = createHttpServer((_, response) => {
    response.setHeader('date', 'Thu, 01 Jan 2026 00:00:00 GMT').end()
  })
  await new Promise<void>(resolve => origin.listen(0, '127.0.0.1', resolve))
  const originPort = (origin.address() as AddressInfo).port
  const zones = ['up.test', 'down.test'].map((name, at) => ({
    id: newId(),
    accountId,
    name,
    originUrl: `http://127.0.0.1:${at === 0 ? originPort : 9}`,
    paused: false,
    type: 'full' as const,
    createdOn: time,
    modifiedOn: time,
  }))
  for (const zone of zones) await store.zones.insert(zone)
  const child = spawn(
    process.execPath,
    [
      ...[productEntry, 'doctor', '--json', '--data', data, '--edge-listen', `127.0.0.1:${originPort}`],
      ...['--api-listen', '127.0.0.1:0', '--edge-tls-listen', 'none'],
    ],
    {
      env: {
        ...bareEnvironment,
        SLUICE_SECRET_KEY: secretKey,
        SLUICE_REDIS_URL: 'redis://:hidden@127.0.0.1:9',
        SLUICE_NATS_URL: 'nats://127.0.0.1:9',
        SLUICE_CLICKHOUSE_URL: 'http://127.0.0.1:9',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const [output, [code]] = await Promise.all([textOf(child.stdout), once(child, 'close')])
  origin.close()
  for (const { id } of zones) await store.zones.delete(id)
  assert.equal(code, 1)
  const findings = JSON.parse(output) as readonly Record<string, string>[]
  const states = findings.map(({ check, state, message }) => `${state} ${check}: ${message}`).join('\n')
  assert.match(states, new RegExp(`^fault ports: 127\\.0\\.0\\.1:${originPort} is taken`, 'm'))
  assert.match(states, /^fault nats: the NATS server cannot be used: /m)
  assert.match(states, /^fault clickhouse: ClickHouse: connect ECONNREFUSED/m)
  assert.match(states, /^ok database: schema \d+, answers in/m)
  assert.match(states, /^(ok crs: OWASP CRS 4\.1\.0 is active|fault crs: no release is imported)/m)
  assert.match(states, /^ok origins: \S+ of up\.test answers with 200$/m)
  assert.match(states, /^warning clock: the clock of \S+ of up\.test is \d+ seconds behind/m)
  assert.match(states, /^fault origins: \S+ of down\.test: .* refuses connections/m)
  assert.match(states, /^fault redis: .*ECONNREFUSED.*: rate limits are counted on each machine alone$/m)
  assert.doesNotMatch(output, /hidden/)
  assert.ok(findings.every(({ state, action }) => (state === 'ok') === (action === undefined)))

  const none = sluice('doctor', '--data', join(folder, 'none'), '--edge-listen', '127.0.0.1:0')
  assert.match(none.stdout, /^warning {2}database +\S+ has no database yet\n +→ start Sluice once/m)
  assert.equal(existsSync(join(folder, 'none')), false)
})
