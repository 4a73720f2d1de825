import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { timestampOf } from '../kit/clock.ts'
import { newId } from '../kit/ids.ts'
import type { Zone } from '../model/resource.ts'
import { replaceEntryPoint } from '../rulesets/index.ts'
import { openSqliteStore, type Store, StoreError } from '../store/index.ts'
import { PlanTable } from './plan-table.ts'

let folder: string
let store: Store
const accountId = newId()
const now = timestampOf(Date.UTC(2026, 4, 1))
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-plans-'))
  store = await openSqliteStore(join(folder, 'sluice.db'), { migrate: true })
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
    ...times,
    ...change,
  }
  await store.zones.insert(zone)
  return zone
}

async function blockPath(zone: Zone, path: string): Promise<void> {
  const scope = { kind: 'zone', id: zone.id } as const
  const rules = [{ action: 'block', expression: `http.request.uri.path eq "${path}"` }]
  const context = { scope, now, newId, managed: () => undefined }
  const entryPoint = replaceEntryPoint(undefined, 'http_request_firewall_custom', { rules }, context)
  assert.ok(entryPoint.ok)
  await store.rulesets.insert(entryPoint.value)
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

const zoneChange = (zone: Zone) => ({ sequence: 1, kind: 'zone', id: zone.id }) as const

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

test('a paused zone is served by nobody, not by its parent', async () => {
  await addZone('parent.test')
  const child = await addZone('child.parent.test', { paused: true })
  const table = openTable()
  await table.load()
  assert.equal(table.find('child.parent.test'), undefined)
  assert.equal(table.find('www.child.parent.test'), undefined)
  await store.zones.update({ ...child, paused: false })
  await table.apply(zoneChange(child))
  assert.equal(table.find('child.parent.test')?.zone.name, 'child.parent.test')
  await store.zones.delete(child.id)
  await table.apply(zoneChange(child))
  assert.equal(table.find('child.parent.test')?.zone.name, 'parent.test')
})

test('a change that comes while the plans are read is taken over', async () => {
  const zone = await addZone('early.test')
  const table = openTable()
  const loading = table.load()
  await blockPath(zone, '/no')
  await table.apply(zoneChange(zone))
  await loading
  assert.equal(table.find('early.test')?.custom.length, 1)
})

test('while the database is away the running plans stay, and the change is taken over when it is back', async () => {
  const zone = await addZone('away.test')
  let failures = 2
  const get: Store['zones']['get'] = id => {
    if (failures-- > 0) throw new StoreError('unavailable', 'away')
    return store.zones.get(id)
  }
  const errors: string[] = []
  const table = openTable({ zones: { ...store.zones, get } }, errors)
  await table.load()
  await blockPath(zone, '/no')
  const applied = table.apply(zoneChange(zone))
  assert.equal(table.find('away.test')?.custom.length, 0)
  await applied
  assert.equal(table.find('away.test')?.custom.length, 1)
  assert.equal(errors.length, 2)
})

test('a zone whose plan cannot be built keeps its running plan and holds up no other', async () => {
  const broken = await addZone('broken.test')
  const table = openTable()
  await table.load()
  const scope = { kind: 'zone', id: broken.id } as const
  const rule = {
    id: newId(),
    version: 1,
    action: 'block',
    expression: 'no.such.field',
    enabled: true,
    ref: 'r',
    lastUpdated: now,
  }
  const ruleset = {
    id: newId(),
    scope,
    name: 'x',
    description: '',
    kind: 'zone',
    phase: 'http_request_firewall_custom',
    version: 1,
    lastUpdated: now,
    rules: [rule],
  } as const
  await store.rulesets.insert(ruleset)
  await table.apply(zoneChange(broken))
  assert.equal(table.find('broken.test')?.custom.length, 0)
  await addZone('other.test')
  await table.apply({ sequence: 2, kind: 'account', id: accountId })
  assert.equal(table.find('other.test')?.zone.name, 'other.test')
  assert.equal(table.find('broken.test')?.custom.length, 0)
})
