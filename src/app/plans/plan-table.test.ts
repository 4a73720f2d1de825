import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { timestampOf } from '../../kit/clock.ts'
import { newId } from '../../kit/ids.ts'
import { defaultRedaction } from '../../model/redaction.ts'
import type { JsonObject, List, Ruleset, Scope, Zone } from '../../model/resource.ts'
import { accessRuleKey, type RequestView } from '../../rulesets/index.ts'
import { nowhere } from '../../rulesets/testing/request-view.ts'
import { openSqliteStore, type Store, StoreError } from '../../store/index.ts'
import { aLoadBalancer, anAccessRule, aPool, testCipher } from '../../store/testing/data.ts'
import { PlanTable } from './plan-table.ts'

let folder: string
let store: Store
const accountId = newId()
const now = timestampOf(Date.UTC(2026, 4, 1))
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-plans-'))
  store = await openSqliteStore(join(folder, 'sluice.db'), { migrate: true, cipher: testCipher })
  await store.accounts.insert({ id: accountId, name: 'a', createdOn: now })
})
after(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

async function addZone(name: string, change: Partial<Zone> = {}): Promise<Zone> {
  const times = { createdOn: now, modifiedOn: now }
  const zone = {
    id: newId(),
    accountId,
    name,
    originUrl: `http://${name}`,
    paused: false,
    type: 'full' as const,
    ...times,
    ...change,
  }
  await store.zones.insert(zone)
  return zone
}

function blocking(scope: Scope, expression: string, change: Partial<Ruleset> = {}): Ruleset {
  const id = newId()
  const rule = { id, version: 1, action: 'block', expression, enabled: true, ref: id, lastUpdated: now }
  return {
    id: newId(),
    scope,
    name: 'default',
    description: '',
    kind: scope.kind === 'zone' ? 'zone' : 'root',
    phase: 'http_request_firewall_custom',
    version: 1,
    lastUpdated: now,
    rules: [rule],
    ...change,
  }
}

async function block(zone: Zone, expression: string): Promise<void> {
  await store.rulesets.insert(blocking({ kind: 'zone', id: zone.id }, expression))
}

/** Number of rules that run for a host. */
function ruleCount(table: PlanTable, host: string): number {
  const phases = table.find(host)?.request ?? []
  return phases.flatMap(({ rulesets }) => rulesets.flatMap(({ rules }) => rules)).length
}

/** Whether the first rule of a host matches. */
function blocks(table: PlanTable, host: string, view: Partial<RequestView>): boolean {
  return table.find(host)!.request[0]!.rulesets[0]!.rules[0]!.matches(view as RequestView)
}

function openTable(over: Partial<Store> = {}, errors: string[] = []): PlanTable {
  return new PlanTable({
    store: { ...store, ...over },
    programFor: () => assert.fail('no managed ruleset is deployed'),
    defaultZone: 'fallback.test',
    prepare: async () => {},
    onError: message => errors.push(message),
  })
}

const zoneChange = (zone: Zone) => ({ sequence: 1, kind: 'zone', id: zone.id, mark: '' }) as const

test('a host finds its zone, else the nearest parent, else the default zone', async () => {
  for (const name of ['shop.test', 'deep.shop.test', 'localhost', 'fallback.test']) await addZone(name)
  const table = openTable()
  await table.load()
  const rows: [string, string][] = [
    ['shop.test', 'shop.test'],
    ['SHOP.test.:8080', 'shop.test'],
    ['www.shop.test', 'shop.test'],
    ['a.deep.shop.test', 'deep.shop.test'],
    ['127.0.0.1:8080', 'localhost'],
    ['[::1]:8080', 'localhost'],
    ['notshop.test', 'fallback.test'],
    ['', 'fallback.test'],
  ]
  for (const [host, zone] of rows) assert.equal(table.find(host)?.zone.name, zone, host)
})

test('a paused zone is served without rules, and not by its parent', async () => {
  await addZone('parent.test')
  const child = await addZone('child.parent.test', { paused: true })
  await block(child, 'http.request.uri.path eq "/no"')
  const table = openTable()
  await table.load()
  for (const host of ['child.parent.test', 'www.child.parent.test']) {
    assert.equal(table.find(host)?.zone.id, child.id)
    assert.equal(ruleCount(table, host), 0)
  }
  await store.zones.update({ ...child, paused: false, type: 'full' as const, revision: 1 })
  await table.apply(zoneChange(child))
  assert.equal(table.find('child.parent.test')?.zone.name, 'child.parent.test')
  assert.equal(ruleCount(table, 'child.parent.test'), 1)
  await store.zones.delete(child.id)
  await table.apply(zoneChange(child))
  assert.equal(table.find('child.parent.test')?.zone.name, 'parent.test')
})

test('a change during the read of the plans is applied', async () => {
  const zone = await addZone('early.test')
  const table = openTable()
  const loading = table.load()
  await block(zone, 'http.request.uri.path eq "/no"')
  await table.apply(zoneChange(zone))
  await loading
  assert.equal(ruleCount(table, 'early.test'), 1)
})

test('while the database is unreachable the running plans stay, and the change is applied when it is back', async () => {
  const zone = await addZone('away.test')
  let failures = 2
  const get: Store['zones']['get'] = id => {
    if (failures-- > 0) throw new StoreError('unavailable', 'away')
    return store.zones.get(id)
  }
  const errors: string[] = []
  const table = openTable({ zones: { ...store.zones, get } }, errors)
  await table.load()
  await block(zone, 'http.request.uri.path eq "/no"')
  const applied = table.apply(zoneChange(zone))
  assert.equal(ruleCount(table, 'away.test'), 0)
  await applied
  assert.equal(ruleCount(table, 'away.test'), 1)
  assert.equal(errors.length, 2)
})

test('a zone whose plan cannot be built keeps its running plan and blocks no other', async () => {
  const broken = await addZone('broken.test')
  const table = openTable()
  await table.load()
  await block(broken, 'no.such.field')
  await table.apply(zoneChange(broken))
  assert.equal(ruleCount(table, 'broken.test'), 0)
  const other = await addZone('other.test')
  await table.apply(zoneChange(other))
  assert.equal(table.find('other.test')?.zone.name, 'other.test')
  assert.equal(ruleCount(table, 'broken.test'), 0)
})

test('a zone whose plan cannot be built does not get the plan of the former zone of its name', async () => {
  const former = await addZone('taken.test')
  const table = openTable()
  await table.load()
  await store.zones.delete(former.id)
  const zone = await addZone('taken.test')
  await block(zone, 'no.such.field')
  await table.apply(zoneChange(zone))
  assert.equal(table.find('taken.test'), undefined)
  await table.apply(zoneChange(former))
  assert.equal(table.find('taken.test'), undefined)
})

const accountChange = { sequence: 2, kind: 'account', id: accountId, mark: '' } as const

test('a change of the account reaches all of its zones, and no plan is rebuilt without need', async () => {
  for (const name of ['one.test', 'two.test']) await addZone(name)
  const table = openTable()
  await table.load()
  const [one, two] = ['one.test', 'two.test'].map(name => table.find(name))
  await table.apply(accountChange)
  assert.equal(table.find('one.test'), one)
  const scope = { kind: 'account', id: accountId } as const
  const root = blocking(scope, 'http.host eq "blocked.test"')
  await store.rulesets.insert(root)
  const applied = table.apply(accountChange)
  assert.equal(table.find('two.test'), two)
  await applied
  assert.deepEqual([ruleCount(table, 'one.test'), ruleCount(table, 'two.test')], [1, 1])
  await store.rulesets.delete(scope, root.id)
  await table.apply(accountChange)
  assert.equal(ruleCount(table, 'one.test'), 0)
})

test('a change of a pool reaches the zones with load balancers, and no other', async () => {
  const [balanced, plain] = [await addZone('balanced.test'), await addZone('plain.test')]
  const pool = aPool(accountId)
  const balancer = { ...aLoadBalancer(balanced.id, pool.id), name: balanced.name }
  await store.loadBalancing.change(accountId, { kind: 'pool', id: pool.id, stored: pool })
  const change = { kind: 'load_balancer', id: balancer.id, zoneId: balanced.id } as const
  await store.loadBalancing.change(accountId, { ...change, stored: balancer })
  const table = openTable()
  await table.load()
  const before = [table.find(balanced.name), table.find(plain.name)]
  const serverOf = () => {
    const origins = table.find(balanced.name)!.origins.of(balanced.name)
    return 'pools' in origins ? origins.fallback.servers[0]?.url : undefined
  }
  assert.equal(serverOf(), 'http://192.0.2.1')
  const moved = { ...pool, origins: [{ ...pool.origins[0]!, address: '192.0.2.2' }] }
  await store.loadBalancing.change(accountId, { kind: 'pool', id: pool.id, stored: moved })
  await table.apply({ sequence: 1, kind: 'load_balancing', id: accountId, mark: '' })
  assert.equal(serverOf(), 'http://192.0.2.2')
  assert.notEqual(table.find(balanced.name), before[0])
  assert.equal(table.find(plain.name), before[1])
})

test('while many plans are rebuilt, the change of one zone does not wait for them', async () => {
  const zones: Zone[] = []
  for (let i = 0; i < 250; i++) zones.push(await addZone(`n${i}.many.test`))
  const reads: number[] = []
  let onRead = (): void => {}
  const documents: Store['plans']['documents'] = ids => {
    reads.push(ids.length)
    onRead()
    return store.plans.documents(ids)
  }
  const table = openTable({ plans: { documents } })
  await table.load()
  const last = zones[249]!
  await block(last, 'true')
  reads.length = 0
  onRead = () => {
    onRead = () => {}
    void table.apply(zoneChange(last)).then(() => assert.equal(ruleCount(table, last.name), 1))
  }
  await table.apply({ sequence: 1, kind: 'crs', id: '', mark: '' })
  assert.deepEqual(reads.slice(0, 3), [100, 1, 100])
  assert.equal(ruleCount(table, last.name), 1)
  for (const zone of zones) await store.zones.delete(zone.id)
})

test('the redaction of a zone changes with its setting', async () => {
  const zone = await addZone('redacted.test')
  const table = openTable()
  await table.load()
  assert.equal(table.find(zone.name)!.redaction.cookies, true)
  await store.redaction.put(zone.id, { ...defaultRedaction, cookies: false })
  await table.apply(zoneChange(zone))
  assert.equal(table.find(zone.name)!.redaction.cookies, false)
  await store.zones.delete(zone.id)
})

test('a zone that changes its name is found under the new one', async () => {
  const zone = await addZone('old.test')
  const table = openTable()
  await table.load()
  await store.zones.update({ ...zone, name: 'new.test', revision: 1 })
  await table.apply(zoneChange(zone))
  const found = ['old.test', 'new.test'].map(name => table.find(name)?.zone.name)
  assert.deepEqual(found, ['fallback.test', 'new.test'])
})

async function addList(name: string, kind: List['kind'], ...contents: JsonObject[]): Promise<List> {
  const times = { createdOn: now, modifiedOn: now }
  const list = { id: newId(), accountId, name, description: '', kind, numItems: 0, ...times }
  await store.lists.insert(list)
  await fill(list, contents)
  return list
}

async function fill(list: List, contents: readonly JsonObject[]): Promise<void> {
  const items = contents.map(content => ({
    id: newId(),
    listId: list.id,
    content,
    createdOn: now,
    modifiedOn: now,
  }))
  await store.lists.putItems(list, items, true)
}

test('lists: a request sees the current items without a new plan', async () => {
  const list = await addList('bad_ips', 'ip', { ip: '192.0.2.0/24' }, { ip: '2001:db8::1' })
  await addList('never_named', 'ip', { ip: '0.0.0.0/0' })
  const zone = await addZone('lists.test')
  await block(zone, 'ip.src in $bad_ips')
  const read: string[] = []
  const contents: Store['lists']['contents'] = id => {
    read.push(id)
    return store.lists.contents(id)
  }
  const table = openTable({ lists: { ...store.lists, contents } })
  await table.load()
  const ips = ['192.0.2.9', '192.0.3.1', '2001:db8::1', '2001:db8:0:1::2']
  const blocked = (): readonly string[] => ips.filter(clientIp => blocks(table, 'lists.test', { clientIp }))
  assert.deepEqual(blocked(), ['192.0.2.9', '2001:db8::1'])
  const plan = table.find('lists.test')
  await fill(list, [{ ip: '192.0.3.1' }])
  await table.apply({ sequence: 3, kind: 'list', id: list.id, mark: '' })
  assert.deepEqual(blocked(), ['192.0.3.1'])
  assert.equal(table.find('lists.test'), plan)
  assert.deepEqual(read, [list.id, list.id])
})

test('a long list of redirects is read whole, and its changes need no new plan', async () => {
  const redirect = (path: string) => ({
    redirect: { source_url: `moved.test${path}`, target_url: `https://new.test${path}` },
  })
  const list = await addList(
    'moved',
    'redirect',
    ...Array.from({ length: 1500 }, (_, i) => redirect(`/${i}`)),
  )
  await addZone('moved.test')
  const scope = { kind: 'account', id: accountId } as const
  const root = blocking(scope, 'true', { phase: 'http_request_redirect' })
  const fromList = { from_list: { name: 'moved', key: 'http.request.full_uri' } }
  const rules = [{ ...root.rules[0]!, action: 'redirect', actionParameters: fromList }]
  await store.rulesets.insert({ ...root, rules })
  const table = openTable()
  await table.load()
  const plan = table.find('moved.test')!
  const { effect } = plan.request.at(-1)!.rulesets[0]!.rules[0]!
  const target = (path: string) =>
    effect.kind === 'redirect-from-list' && effect.list.find(`http://moved.test${path}`)?.target
  assert.deepEqual([target('/0'), target('/1499')], ['https://new.test/0', 'https://new.test/1499'])
  await fill(list, [redirect('/other')])
  await table.apply({ sequence: 3, kind: 'list', id: list.id, mark: '' })
  assert.deepEqual([target('/0'), target('/other')], [undefined, 'https://new.test/other'])
  assert.equal(table.find('moved.test'), plan)
  await store.rulesets.delete(scope, root.id)
})

test('a rule may name a list that came after the plans were read', async () => {
  const zone = await addZone('later.test')
  const table = openTable()
  await table.load()
  await addList('later', 'asn', { asn: 64500 })
  await table.apply(accountChange)
  await block(zone, 'ip.src.asnum in $later')
  await table.apply(zoneChange(zone))
  const from = (asnum: number): boolean =>
    blocks(table, 'later.test', { geo: { asnum } as RequestView['geo'] })
  assert.deepEqual([from(64500), from(64501)], [true, false])
})

test('host names in lists', async () => {
  await addList(
    'names',
    'hostname',
    { hostname: { url_hostname: 'Exact.test' } },
    { hostname: { url_hostname: '*.below.test' } },
    { hostname: { url_hostname: '*.both.test', exclude_exact_hostname: false } },
  )
  const zone = await addZone('names.test')
  await block(zone, 'http.host in $names')
  const table = openTable()
  await table.load()
  const hosts = [
    'exact.test',
    'EXACT.test',
    'www.exact.test',
    'below.test',
    'a.below.test',
    'a.b.below.test',
    'xbelow.test',
    'both.test',
    'a.both.test',
  ]
  assert.deepEqual(
    hosts.filter(host => blocks(table, 'names.test', { host })),
    ['exact.test', 'EXACT.test', 'a.below.test', 'a.b.below.test', 'both.test', 'a.both.test'],
  )
})

test('when the database went back, everything is read again: zones, rules, items of lists', async () => {
  const gone = await addZone('gone.test')
  const kept = await addZone('kept.test')
  const list = await addList('restored', 'asn', { asn: 64500 })
  await block(kept, 'ip.src.asnum in $restored')
  const table = openTable()
  await table.load()
  const from = (asnum: number): boolean =>
    blocks(table, 'kept.test', { geo: { asnum } as RequestView['geo'] })
  assert.deepEqual([from(64500), from(64501)], [true, false])
  await store.zones.delete(gone.id)
  const came = await addZone('came.test')
  await block(came, 'true')
  const now = '2026-01-02T03:04:05.000006Z'
  const item = { id: newId(), listId: list.id, content: { asn: 64501 }, createdOn: now, modifiedOn: now }
  await store.lists.putItems(list, [item], true)
  await table.apply({ kind: 'everything' })
  assert.equal(table.find('gone.test')?.zone.name, 'fallback.test')
  assert.equal(blocks(table, 'came.test', {}), true)
  assert.deepEqual([from(64500), from(64501)], [false, true])
})

test('access rules act after a load, and follow each change without a new plan', async () => {
  const zone = await addZone('access.test')
  const scope: Scope = { kind: 'zone', id: zone.id }
  const rules = ['192.0.2.1', '192.0.2.2'].map(value =>
    anAccessRule(scope, { value, key: accessRuleKey('ip', value)! }),
  )
  await store.accessRules.insert(rules[0]!)
  const table = openTable()
  await table.load()
  const plan = table.find('access.test')!
  const acting = () =>
    ['192.0.2.1', '192.0.2.2'].map(clientIp => plan.accessRules!.find(zone, { clientIp, geo: nowhere })?.mode)
  assert.deepEqual(acting(), ['block', undefined])
  const change = { sequence: 1, kind: 'access_rules', id: zone.id, mark: '' } as const
  const steps: [() => Promise<void>, (string | undefined)[]][] = [
    [() => store.accessRules.insert(rules[1]!), ['block', 'block']],
    [
      () => store.accessRules.update({ ...rules[1]!, mode: 'whitelist' }, undefined, { before: rules[1]! }),
      ['block', 'whitelist'],
    ],
    [() => store.accessRules.delete(undefined, { before: rules[0]! }), [undefined, 'whitelist']],
  ]
  for (const [step, want] of steps) {
    await step()
    await table.apply(change)
    assert.deepEqual(acting(), want)
  }
  await store.accessRules.insert(rules[0]!)
  await table.apply({ kind: 'everything' })
  assert.deepEqual(acting(), ['block', 'whitelist'])
  await store.zones.delete(zone.id)
  await table.apply(zoneChange(zone))
  assert.deepEqual(acting(), [undefined, undefined])
})
