import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../../test/support/eventually.ts'
import { createChangeFeed } from '../../bus/index.ts'
import { type CertificatePair, selfSignedCertificate } from '../../edge/index.ts'
import { pemFacts } from '../../kit/certificates.ts'
import { newCipher } from '../../kit/cipher.ts'
import { nearestDomain } from '../../kit/host-name.ts'
import { newId } from '../../kit/ids.ts'
import type { ZoneCertificate } from '../../model/certificate.ts'
import { openSqliteStore, type Store } from '../../store/index.ts'
import { certificatesInUse } from './certificates-in-use.ts'
import { openCertificates } from './edge-certificates.ts'

const accountId = newId()
const time = '2026-01-02T03:04:05.000006Z'
const selfSigned = await selfSignedCertificate(['localhost'], new Date())

test('edges load and drop the certificates of zones as the database changes', async t => {
  const { store, addZone, find } = await open(t)
  const zone = await addZone('shop.example')
  assert.equal(find('shop.example'), undefined)
  const old = await add(store, zone, ['shop.example', '*.shop.example', 'other.example'])
  await eventually(() => assert.equal(find('shop.example'), old.pair.certificate))
  assert.equal(find('www.shop.example'), old.pair.certificate)
  assert.equal(find('other.example'), undefined, 'a name outside the zone')

  const renewed = await selfSignedCertificate(['shop.example'], new Date())
  const stored = (await store.certificates.get(zone, old.id))!
  await store.certificates.update(zone, [
    { ...stored, certificate: renewed.certificate, hosts: ['shop.example'], key: renewed.key },
  ])
  await eventually(() => assert.equal(find('shop.example'), renewed.certificate))
  assert.equal(find('www.shop.example'), undefined)

  await store.zones.delete(zone)
  await eventually(() => assert.equal(find('shop.example'), undefined))
})

test('the source, the priority and the expiry decide between certificates of a name', async t => {
  const { store, addZone, find } = await open(t)
  const zone = await addZone('blog.example')
  const rows: Partial<ZoneCertificate>[] = [
    { source: 'acme', priority: 9 },
    { expiresOn: '2030-01-01T00:00:00.000000Z' },
    { expiresOn: '2031-01-01T00:00:00.000000Z' },
    { expiresOn: '2030-01-01T00:00:00.000000Z', priority: 1 },
    { expiresOn: '2020-01-01T00:00:00.000000Z', priority: 2 },
  ]
  const added: { id: string; pair: CertificatePair }[] = []
  for (const changes of rows) added.push(await add(store, zone, ['blog.example'], changes))
  const order = [3, 2, 1, 0, 4]
  for (const [rank, at] of order.entries()) {
    await eventually(() => assert.equal(find('blog.example'), added[at]!.pair.certificate, `rank ${rank}`))
    await store.certificates.delete(zone, added[at]!.id)
  }
  await eventually(() => assert.equal(find('blog.example'), undefined))
})

test('a certificate serves, and a report shows, only names whose nearest zone is its own', async t => {
  const { store, addZone, find, served } = await open(t)
  const parent = await addZone('example')
  const names = ['www.shop.example', 'shop.example', '*.example']
  const ofParent = await add(store, parent, names)
  await eventually(() => assert.equal(find('www.shop.example'), ofParent.pair.certificate))

  const child = await addZone('shop.example')
  for (const name of names.slice(0, 2)) assert.equal(find(name), undefined, name)
  const ofChild = await add(store, child, ['*.shop.example', 'shop.example'])
  await eventually(() => assert.equal(find('www.shop.example'), ofChild.pair.certificate))
  assert.equal(find('shop.example'), ofChild.pair.certificate)
  assert.equal(find('blog.example'), ofParent.pair.certificate)
  const inEdge = { certificates: async (zoneName?: string) => served(zoneName) }
  for (const edges of [inEdge, undefined]) {
    const hostsOf = async (id?: string) => {
      const zone = id === undefined ? undefined : await store.zones.get(id)
      return (await certificatesInUse(edges, store, Date.now(), zone)).map(({ hosts }) => hosts.join(' '))
    }
    assert.deepEqual(await hostsOf(parent), ['*.example'])
    assert.deepEqual(await hostsOf(child), ['*.shop.example shop.example'])
    assert.deepEqual((await hostsOf()).sort(), ['*.example', '*.shop.example shop.example'])
  }
})

/** A database with an account, and the certificates of an edge. */
async function open(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-certificates-'))
  const cipher = newCipher(new Uint8Array(32))
  const store = await openSqliteStore(join(directory, 'sluice.db'), { migrate: true, cipher })
  await store.accounts.insert({ id: accountId, name: 'Team', createdOn: time })
  const onError = (error: unknown) => assert.fail(String(error))
  const zoneNames = new Set<string>()
  const changes = await createChangeFeed(store.changes, onError)
  const { table, close } = await openCertificates({
    paths: [],
    selfSigned,
    store: store.certificates,
    plans: { nearestZone: name => nearestDomain(name, zoneNames) },
    changes,
    secret: 'secret',
    onError,
  })
  t.after(async () => {
    close()
    await changes.close()
    await store.close()
    await rm(directory, { recursive: true })
  })
  const find = (name: string) => {
    const found = table.find(name)
    return found?.standsForAll === true ? undefined : found?.options.cert
  }
  return {
    store,
    addZone(name: string) {
      zoneNames.add(name)
      return insertZone(store, name)
    },
    find,
    served: (zoneName?: string) => table.served(zoneName),
  }
}

async function insertZone(store: Store, name: string): Promise<string> {
  const id = newId()
  const originUrl = 'http://127.0.0.1:9000'
  await store.zones.insert({
    id,
    accountId,
    name,
    originUrl,
    paused: false,
    type: 'full' as const,
    createdOn: time,
    modifiedOn: time,
  })
  return id
}

async function add(
  store: Store,
  zoneId: string,
  hosts: readonly string[],
  changes: Partial<ZoneCertificate> = {},
): Promise<{ id: string; pair: CertificatePair }> {
  const pair = await selfSignedCertificate(hosts, new Date())
  const { beginsMs, expiresMs, ...facts } = pemFacts(pair.certificate)
  const id = newId()
  await store.certificates.insert(
    {
      id,
      zoneId,
      source: 'custom',
      certificate: pair.certificate,
      ...facts,
      priority: 0,
      bundleMethod: 'ubiquitous',
      expiresOn: new Date(expiresMs).toISOString(),
      uploadedOn: time,
      modifiedOn: time,
      ...changes,
    },
    pair.key,
  )
  return { id, pair }
}
