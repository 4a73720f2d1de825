import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connect } from 'node:tls'
import { eventually } from '../../../test/support/eventually.ts'
import { type Pebble, type PebbleOptions, startPebble, withoutPebble } from '../../../test/support/pebble.ts'
import { startIssuer } from '../../acme/index.ts'
import { createChangeFeed } from '../../bus/index.ts'
import { selfSignedCertificate } from '../../edge/index.ts'
import { planFor, startEdge, startOrigin } from '../../edge/testing/fixture.ts'
import { ask, openHttp2 } from '../../edge/testing/tls-edge.ts'
import { newCipher } from '../../kit/cipher.ts'
import { newId } from '../../kit/ids.ts'
import { freePort } from '../../kit/testing/free-port.ts'
import type { AcmeName } from '../../model/acme.ts'
import type { Zone } from '../../model/resource.ts'
import type { ZonePlan } from '../../rulesets/index.ts'
import { openSqliteStore, type Store } from '../../store/index.ts'
import { openAcmeEdge } from '../edge/acme-edge.ts'
import { openCertificates } from '../edge/edge-certificates.ts'

const selfSigned = await selfSignedCertificate(['localhost'], new Date())
const skip = withoutPebble

test('a name that a client asks for gets a certificate, which every edge proves and serves', {
  skip,
}, async t => {
  const { edges, authority, names, clientAt } = await install(t)
  const pebble = await authority({})
  const before = openHttp2(t, edges[0]!.tlsPort, 'shop.test')
  await ask(before, { ':path': '/', ':authority': 'shop.test' })
  const root = await pebble.root()
  for (const edge of edges) await eventually(() => clientAt(edge.tlsPort, 'shop.test', root))
  // The connection from before the certificate still serves.
  const { status } = await ask(before, { ':path': '/', ':authority': 'shop.test' })
  assert.equal(status, 200)
  // Names that no zone lists are no reason for an order.
  await assert.rejects(clientAt(edges[0]!.tlsPort, 'random.shop.test', root), /self-signed/)
  assert.deepEqual(
    (await names()).map(({ name }) => name),
    ['shop.test'],
  )
})

test('a failed check is told in words, and made again by the other challenge after a growing wait', {
  skip,
}, async t => {
  const { edges, authority, names, clientAt, clock, want } = await install(t)
  const pebble = await authority({ httpPort: await freePort() })
  await want()
  const failed = await eventually(async () => {
    const [name] = await names()
    assert.equal(name?.failures, 1)
    return name
  })
  assert.match(failed.problem!, /^the authority's check by http-01 failed: .*connect/)
  const waitMs = failed.nextMs - clock.nowMs()
  assert.ok(waitMs >= 120_000 && waitMs <= 150_000, `${waitMs}`)
  clock.advance(waitMs)
  const root = await pebble.root()
  for (const { tlsPort } of edges) await eventually(() => clientAt(tlsPort, 'shop.test', root))
  await eventually(async () => {
    const [name] = await names()
    assert.deepEqual([name?.failures, name?.problem], [0, undefined])
  })
})

test('a certificate is renewed by its clock while connections stay', { skip }, async t => {
  const { edges, authority, store, zone, clientAt, want } = await install(t)
  const pebble = await authority({ validSeconds: 9 })
  await want()
  const root = await pebble.root()
  const first = await eventually(() => clientAt(edges[1]!.tlsPort, 'shop.test', root))
  const open = openHttp2(t, edges[1]!.tlsPort, 'shop.test')
  await ask(open, { ':path': '/', ':authority': 'shop.test' })
  await eventually(async () => {
    const now = await clientAt(edges[1]!.tlsPort, 'shop.test', root)
    assert.notEqual(now.serialNumber, first.serialNumber)
    // A third of its life was left.
    assert.ok(now.validFromDate < first.validToDate)
  })
  assert.equal((await ask(open, { ':path': '/', ':authority': 'shop.test' })).status, 200)
  // The renewed certificate has taken the place of the one before.
  assert.equal((await store.certificates.list(zone.id)).length, 1)
})

test('an authority that is down, or has forgotten the account, is asked again', { skip }, async t => {
  const { edges, authority, names, clientAt, clock, want } = await install(t)
  const hmacKey = 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W'
  const pebble = await authority({ externalAccounts: { 'kid-1': hmacKey } })
  await pebble.stop()
  await want()
  const failed = (failures: number) =>
    eventually(async () => {
      const [name] = await names()
      assert.equal(name?.failures, failures)
      return name
    })
  const first = await failed(1)
  assert.match(first.problem!, /^the registration of the account failed: .*ECONNREFUSED/)
  clock.advance(first.nextMs - clock.nowMs())
  const second = await failed(2)
  assert.ok(second.nextMs - clock.nowMs() >= 240_000)
  await pebble.start()
  clock.advance(second.nextMs - clock.nowMs())
  await eventually(async () => clientAt(edges[0]!.tlsPort, 'shop.test', await pebble.root()))
  await pebble.stop()
  await pebble.start()
  clock.advance(80 * 86_400_000)
  clock.advance((await failed(1)).nextMs - clock.nowMs())
  await eventually(async () => clientAt(edges[0]!.tlsPort, 'shop.test', await pebble.root()))
})

test('a name with a custom certificate is not ordered', async t => {
  const { issue, names, store, zone, clock, want } = await install(t)
  const { certificate, key } = await selfSignedCertificate(['*.test'], new Date())
  await store.certificates.insert({ ...custom, zoneId: zone.id, certificate }, key)
  await want()
  issue({
    directory: 'https://127.0.0.1:1/',
    email: undefined,
    trusted: undefined,
    externalAccount: undefined,
  })
  const nowMs = clock.nowMs()
  await eventually(async () => {
    const [name] = await names()
    assert.equal(name?.problem, undefined)
    assert.ok(name!.nextMs >= nowMs + 86_400_000)
  })
})

const time = '2026-01-01T00:00:00.000000Z'
const custom = {
  id: newId(),
  source: 'custom',
  hosts: ['*.test'],
  issuer: 'Team',
  signature: 'ECDSAWithSHA256',
  serial: '01',
  fingerprint: '02',
  priority: 0,
  bundleMethod: 'force',
  expiresOn: '2099-01-01T00:00:00.000000Z',
  uploadedOn: time,
  modifiedOn: time,
} as const

/** Two edges of one installation in front of an origin. Clients may be at either of them; the authority asks the second. */
async function install(t: TestContext) {
  // Hooks of a test run in the order of their registration; these end in reverse.
  const ends: (() => unknown)[] = []
  t.after(async () => {
    for (const end of ends.reverse()) await end()
  })
  const { store, zone } = await openStore(ends)
  const { url: origin } = await startOrigin(t, (_request, response) => response.end('origin'))
  const clock = shiftedClock()
  const startOne = () =>
    startTlsEdge(t, ends, store, { ...planFor(origin), zone: { ...zone, originUrl: origin } })
  const edges = [await startOne(), await startOne()]
  const published: Store['acme']['publish'] = async (challenge, untilMs) => {
    await store.acme.publish(challenge, untilMs)
    for (const { challenges } of edges)
      await eventually(() =>
        challenge.kind === 'http-01'
          ? assert.ok(challenges.answer(challenge.name, `/.well-known/acme-challenge/${challenge.token}`))
          : assert.ok(challenges.certificate(challenge.name, ['acme-tls/1'])),
      )
  }
  const issue = (authority: Parameters<typeof startIssuer>[0]['authority']) => {
    const issuer = startIssuer({
      store: { certificates: store.certificates, acme: { ...store.acme, publish: published } },
      authority,
      clock,
      onOutcome: () => {},
      onError: error => console.error(error),
      spreadMs: 0,
    })
    ends.push(() => issuer.stop())
  }
  return {
    store,
    zone,
    edges,
    clock,
    issue,
    clientAt,
    names: (): Promise<readonly AcmeName[]> => store.acme.names(zone.id),
    want: () => store.acme.want(zone.id, zone.name, clock.nowMs()),
    async authority(options: Partial<PebbleOptions>): Promise<Pebble> {
      const pebble = await startPebble(t, {
        httpPort: edges[1]!.port,
        tlsPort: edges[1]!.tlsPort,
        ...options,
      })
      const [kid, hmacKey] = Object.entries(options.externalAccounts ?? {})[0] ?? []
      issue({
        directory: pebble.directory,
        email: kid && 'mary@shop.test',
        trusted: pebble.trusted,
        externalAccount: kid === undefined ? undefined : { kid, hmacKey: hmacKey! },
      })
      return pebble
    },
  }
}

async function openStore(ends: (() => unknown)[]) {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-acme-'))
  const cipher = newCipher(new Uint8Array(32))
  const store = await openSqliteStore(join(directory, 'sluice.db'), { migrate: true, cipher })
  ends.push(async () => {
    await store.close()
    await rm(directory, { recursive: true })
  })
  const account = { id: newId(), name: 'Team', createdOn: time }
  await store.accounts.insert(account)
  const zone: Zone = {
    id: newId(),
    accountId: account.id,
    name: 'shop.test',
    originUrl: 'http://127.0.0.1:9000',
    paused: false,
    type: 'full' as const,
    createdOn: time,
    modifiedOn: time,
  }
  await store.zones.insert(zone)
  return { store, zone }
}

async function startTlsEdge(t: TestContext, ends: (() => unknown)[], store: Store, plan: ZonePlan) {
  const onError = (error: unknown) => console.error(error)
  const changes = await createChangeFeed(store.changes, onError)
  const plans = { find: () => plan }
  const clock = { nowMs: () => Date.now() }
  const acme = await openAcmeEdge({ store, changes, plans, clock, onError: (_, error) => onError(error) })
  const certificates = await openCertificates({
    paths: [],
    selfSigned,
    store: store.certificates,
    plans: { nearestZone: () => plan.zone.name },
    changes,
    secret: 'secret',
    onError,
  })
  const tls = { certificates: certificates.table, ja4: false, onUncovered: acme.onUncovered }
  const started = await startEdge(t, plan, { plans, tls, challenges: acme.challenges })
  ends.push(async () => {
    acme.close()
    certificates.close()
    await changes.close()
  })
  const tlsPort = await started.edge.listen(
    { host: '127.0.0.1', port: 0 },
    { tls: true, proxyProtocol: false },
  )
  return { ...started, tlsPort, challenges: acme.challenges }
}

function shiftedClock() {
  let shiftMs = 0
  return {
    nowMs: () => Date.now() + shiftMs,
    advance(ms: number) {
      shiftMs += ms
    },
  }
}

/** A client that trusts one root. @returns the certificate that it got @throws when it does not trust it */
function clientAt(port: number, servername: string, ca: string): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, servername, ca }, () => {
      const { raw } = socket.getPeerCertificate()
      socket.destroy()
      resolve(new X509Certificate(raw))
    })
    socket.on('error', reject)
  })
}
