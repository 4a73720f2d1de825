import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../test/support/eventually.ts'
import { madeCertificate } from '../../kit/testing/certificates.ts'
import { freePort } from '../../kit/testing/free-port.ts'
import { CountExchange } from '../local/rate-counters/count-exchange.ts'
import { LocalRateCounters } from '../local/rate-counters/rate-counters.ts'
import { newRateSecret, newRateTable } from '../local/rate-counters/table.ts'
import type { RateLimit, SharedCounters } from '../port.ts'
import { noRedis, type RedisServer, startRedis } from '../testing/redis-server.ts'
import { connectRedis } from './connection.ts'
import { exchangeCounts, fromStart } from './exchange.ts'
import { probeRedis } from './probe.ts'
import { openRedisCounters } from './shared-counters.ts'

const minute: RateLimit = { periodMs: 60_000, max: 10, mitigationMs: 0 }

interface Machine {
  /** Counts so many requests. @returns when the limitation ends by the machine's clock; 0: not limited */
  readonly count: (key: string, amount: number, limit?: RateLimit) => number
  readonly clock: { ms: number }
  readonly sharing: SharedCounters
  readonly news: (string | undefined)[]
}

describe('counters that machines share', { skip: noRedis }, () => {
  if (noRedis !== false) return
  let server: RedisServer
  before(async () => {
    server = await startRedis()
  })
  after(() => server.stop())

  test('a count of one machine counts on the others, and a limited key is limited on all', async t => {
    const [a, b, c] = machines(t, server.url, 3)
    assert.equal(a.count('client', 6), 0)
    assert.equal(b.count('client', 3), 0)
    await exchanged(a, b)
    assert.equal(b.count('client', 1), 0)
    assert.ok(b.count('client', 1) > 0)
    // The first knows its own count only, the last has none.
    for (const machine of [a, c]) await eventually(() => assert.ok(machine.count('client', 0) > 0))
    assert.equal(c.count('another client', 1), 0)
  })

  test('the period that began first is the period of all, although their clocks differ', async t => {
    const [a, b] = machines(t, server.url, 2)
    b.clock.ms -= 3_600_000
    a.count('client', 4)
    a.clock.ms += 30_000
    a.count('client', 4)
    await exchanged(a)
    b.count('client', 2)
    await exchanged(b)
    const leftMs = b.count('client', 1) - b.clock.ms
    assert.ok(leftMs > 20_000 && leftMs <= 30_000, `${leftMs} ms left`)
  })

  test('a mitigation goes on everywhere when the period is over', async t => {
    const [a, b] = machines(t, server.url, 2)
    const limit = { ...minute, periodMs: 1000, mitigationMs: 600_000 }
    a.count('client', 11, limit)
    await eventually(() => assert.ok(b.count('client', 0, limit) > 0))
    b.clock.ms += 500_000
    const untilMs = b.count('client', 1, limit)
    assert.ok(untilMs > 0)
    b.clock.ms = untilMs
    assert.equal(b.count('client', 1, limit), 0)
  })

  test('a limit whose times are shortened limits clients that are limited already', async t => {
    const [a] = machines(t, server.url, 1)
    assert.ok(a.count('client', 11, { ...minute, mitigationMs: 3_600_000 }) > 0)
    await exchanged(a)
    const shorter = { ...minute, mitigationMs: 10_000 }
    assert.equal(a.count('client', 10, shorter), 0)
    for (const _ of [1, 2]) {
      assert.equal(a.count('client', 1, shorter), a.clock.ms + 10_000)
      await exchanged(a)
    }
  })

  test('a period keeps its length, however much the delay of exchanges varies', async t => {
    const memory = newRateTable(1024)
    const [counters, exchange] = [new LocalRateCounters(memory), new CountExchange(memory)]
    const redis = await connectRedis({ url: server.url, ca: undefined, prefix: '' })
    t.after(() => redis.close())
    const begunMs = Date.now() - 200
    for (const delayMs of [200, 0, 150, 0, 200, 100, 0]) {
      const nowMs = Date.now() - delayMs
      counters.count('client', 1, minute, delayMs === 200 ? begunMs : nowMs)
      const counts = exchange.take(1, nowMs)
      const message = { prefix: 'delayed:', machine: 'a', after: fromStart, counts }
      const { shared } = await exchangeCounts(redis, message, nowMs)
      exchange.put(counts[0]!, shared[0]!)
    }
    const { untilMs } = counters.count('client', 10, minute, Date.now())
    assert.equal(untilMs, begunMs + minute.periodMs)
  })

  test('after the period each machine begins at nothing', async t => {
    const [a, b] = machines(t, server.url, 2)
    const limit = { ...minute, periodMs: 2000 }
    a.count('client', 8, limit)
    await exchanged(a)
    b.count('client', 1, limit)
    await exchanged(b)
    const untilMs = b.count('client', 2, limit)
    assert.ok(untilMs > 0)
    await sleep(untilMs - b.clock.ms)
    for (const { clock } of [a, b]) clock.ms += limit.periodMs
    assert.equal(a.count('client', 5, limit), 0)
    await exchanged(a)
    assert.equal(b.count('client', 4, limit), 0)
    await exchanged(b)
    assert.ok(b.count('client', 2, limit) > 0)
  })

  test('without the server each machine counts for itself; then they know all counts, also lost ones', async t => {
    const own = await startRedis()
    t.after(() => own.stop())
    const [a, b] = machines(t, own.url, 2)
    a.count('client', 4)
    await exchanged(a, b)
    await own.stop()
    await eventually(() => assert.ok(a.sharing.away !== undefined && b.sharing.away !== undefined))
    assert.equal(a.count('client', 1), 0)
    assert.equal(b.count('client', 5), 0)
    assert.ok(b.count('other client', 11) > 0)
    assert.equal(a.count('other client', 0), 0)
    await own.start()
    await exchanged(a, b)
    assert.equal(a.sharing.away, undefined)
    assert.equal(a.count('client', 0), 0)
    a.count('client', 1)
    await exchanged(a)
    assert.ok(a.count('client', 1) > 0)
    await eventually(() => assert.ok(a.count('other client', 0) > 0))
    // Each is told once, however many attempts failed.
    assert.deepEqual(
      a.news.map(away => away === undefined),
      [true, false, true],
    )
  })

  test('a server that hangs is away, and its late answers change no count', async t => {
    const own = await startRedis()
    t.after(() => own.stop())
    const [a, b] = machines(t, own.url, 2)
    a.count('client', 4)
    await exchanged(a, b)
    own.pause()
    a.count('client', 4)
    await eventually(() => assert.match(a.sharing.away ?? '', /has not answered/))
    own.resume()
    await exchanged(a, b)
    b.count('client', 2)
    await exchanged(b)
    assert.ok(b.count('client', 1) > 0)
  })

  test('the counts of a machine that ends remain', async t => {
    const [a, b] = machines(t, server.url, 2)
    a.count('client', 10)
    await a.sharing.close()
    b.count('client', 1)
    await exchanged(b)
    assert.ok(b.count('client', 1) > 0)
  })

  test('more counts than fit into one exchange', async t => {
    const [a, b] = machines(t, server.url, 2)
    for (let n = 0; n < 2000; n++) a.count(`client ${n}`, 10)
    await eventually(() => assert.ok(a.sharing.stats.counts >= 2000))
    for (let n = 0; n < 2000; n++) b.count(`client ${n}`, 1)
    await eventually(() => assert.ok(b.sharing.stats.counts >= 2000))
    await exchanged(b)
    for (let n = 0; n < 2000; n++) assert.ok(b.count(`client ${n}`, 1) > 0, `client ${n}`)
  })

  test('every count in the server ends by itself, and names no client', async t => {
    const [a] = machines(t, server.url, 1)
    a.count('192.0.2.1', 1)
    await exchanged(a)
    const redis = await connectRedis({ url: server.url, ca: undefined, prefix: '' })
    t.after(() => redis.close())
    const keys = (await redis.send(['KEYS', '*:rate:*'])) as string[]
    assert.ok(keys.length > 0)
    for (const key of keys) {
      assert.match(key, /:rate:[\w-]{22}$/)
      assert.ok(Number(await redis.send(['PTTL', key])) > 0, key)
    }
  })

  test('a password, the permissions of the guide, a database number and TLS with an own authority', async t => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-redis-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    const { certificate, key } = await madeCertificate(['localhost'])
    const [ca, keyFile] = [join(folder, 'ca.pem'), join(folder, 'key.pem')]
    await writeFile(ca, certificate)
    await writeFile(keyFile, key)
    const permissions = '+eval +select +time +hgetall +hset +del +pexpireat +xadd +xrange'.split(' ')
    const tls = ['--tls-cert-file', ca, '--tls-key-file', keyFile, '--tls-auth-clients', 'no']
    const tlsPort = await freePort()
    const secured = await startRedis(['--tls-port', String(tlsPort), ...tls])
    t.after(() => secured.stop())
    const admin = await connectRedis({ url: secured.url, ca: undefined, prefix: '' })
    await admin.send(['ACL', 'SETUSER', 'sluice', 'on', '>pass word', '~one:*', ...permissions])
    admin.close()
    const at = `sluice:pass%20word@localhost:${tlsPort}/2`
    const [a] = machines(t, `rediss://${at}`, 1, { ca, prefix: 'one:' })
    await exchanged(a)
    const { server } = await probeRedis({ url: `rediss://${at}`, ca, prefix: 'one:' })
    assert.match(server, /^(redis|valkey) \d+\.\d+\.\d+$/)
    await assert.rejects(probeRedis({ url: `rediss://${at}`, ca, prefix: 'two:' }), /NOPERM|permission/i)
    const [refused] = machines(t, `rediss://${at}`, 1, { ca, prefix: 'two:' })
    await eventually(() => assert.match(refused.sharing.away ?? '', /NOPERM|permission/i))
    const [inCapitals] = machines(t, `REDIS://${at}`, 1, { ca, prefix: 'one:' })
    await exchanged(inCapitals)
    const [unknown] = machines(t, `rediss://${at}`, 1, { prefix: 'one:' })
    await eventually(() => assert.match(unknown.sharing.away ?? '', /self-signed certificate/))
  })
})

let installations = 0

type Machines<N extends number> = N extends 1
  ? readonly [Machine]
  : N extends 2
    ? readonly [Machine, Machine]
    : readonly [Machine, Machine, Machine]

/** Machines of one installation. Their clocks stand still until a test moves them. */
function machines<N extends 1 | 2 | 3>(
  t: TestContext,
  url: string,
  number: N,
  { ca, prefix }: { readonly ca?: string; readonly prefix?: string } = {},
): Machines<N> {
  const secret = newRateSecret()
  const keys = prefix ?? `sluice${++installations}:`
  const made = Array.from({ length: number }, (): Machine => {
    const memory = newRateTable(16_384, secret)
    const counters = new LocalRateCounters(memory)
    const clock = { ms: Date.now() }
    const news: (string | undefined)[] = []
    const sharing = openRedisCounters(memory, { url, ca, prefix: keys }, { nowMs: () => clock.ms }, away =>
      news.push(away),
    )
    t.after(() => sharing.close())
    const count: Machine['count'] = (key, amount, limit = minute) =>
      counters.count(key, amount, limit, clock.ms).untilMs
    return { count, clock, sharing, news }
  })
  return made as unknown as Machines<N>
}

/** Until the last counts of these machines are known to the server, and those of the server to them. */
async function exchanged(...all: readonly Machine[]): Promise<void> {
  for (const { sharing } of all) {
    const before = sharing.stats.exchanges
    await eventually(() => assert.ok(sharing.stats.exchanges >= before + 2))
  }
}
