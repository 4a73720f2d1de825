import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { noRedis, type RedisServer, startRedis } from '../../src/bus/testing/redis-server.ts'
import { eventually } from '../support/eventually.ts'
import { inForce } from '../support/in-force.ts'
import { miniCrs } from '../support/mini-crs.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { type S3Server, s3Credentials, startS3 } from '../support/s3-server.ts'
import { type Server, startPostgres } from '../support/servers.ts'
import { type ApiAnswer, api, type Instance, startSluice } from '../support/sluice.ts'

/** Machines with separate data directories, and so spools, that share PostgreSQL and the counters in Redis. */
const host = 'two.test'
/** Between two objects. */
const patienceMs = 150_000

let directory: string
let postgres: Server
let origin: Origin
let s3: S3Server
let redis: RedisServer | undefined
let a: Instance
let b: Instance
let jobPath: string
const running = new Set<Instance>()

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-two-machines-'))
  ;[postgres, origin, s3] = await Promise.all([startPostgres(), startOrigin(), startS3(['logs'])])
  redis = noRedis === false ? await startRedis() : undefined
  a = await start('a')
  b = await start('b')
  const [account] = (await done(a, 'GET', '/accounts')).result
  const zone = { name: host, account: { id: account.id }, origin: { url: origin.url } }
  const zonePath = `/zones/${(await done(a, 'POST', '/zones', zone)).result.id}`
  await Promise.all([a, b].map(inForce))
  for (const machine of [a, b]) await visit(machine, paths('before', 20))
  // Records received from now on are later than that.
  await sleep(20)
  const { accessKeyId, secretAccessKey } = s3Credentials
  const job = await done(a, 'POST', `${zonePath}/logpush/jobs`, {
    destination_conf: `s3://logs/lines?region=us-east-1&endpoint=${encodeURIComponent(s3.url)}&access-key-id=${accessKeyId}&secret-access-key=${secretAccessKey}`,
    logpull_options: 'fields=ClientRequestPath',
    enabled: true,
  })
  jobPath = `${zonePath}/logpush/jobs/${job.result.id}`
})

after(async () => {
  await Promise.all(Array.from(running, instance => instance.kill()))
  await Promise.all([postgres.close(), origin.close(), s3.close(), redis?.stop()])
  await rm(directory, { recursive: true, force: true })
})

test('each record of either machine is delivered once, from the moment when the job was made at one', async () => {
  const ways = [
    [a, paths('a', 100)],
    [b, paths('b', 100)],
  ] as const
  await Promise.all(ways.map(([machine, all]) => visit(machine, all)))
  const expected = ways.flatMap(([, all]) => all).sort()
  await arrived(expected)
})

test('records in the spool of a killed machine are delivered when it is back', async () => {
  const known = await delivered()
  s3.outage = true
  await visit(b, paths('b-killed', 50))
  await kill(b)
  s3.outage = false
  await visit(a, paths('a-alone', 50))
  const ofA = [...known, ...paths('a-alone', 50)].sort()
  await arrived(ofA)
  b = await start('b')
  await visit(b, paths('b-back', 50))
  const all = [...ofA, ...paths('b-killed', 50), ...paths('b-back', 50)].sort()
  await arrived(all)
})

test('a machine without delivery reports it until a process delivers', async () => {
  const known = await delivered()
  const faults = async () => (await done(a, 'GET', `${jobPath}/health`)).result.faults
  assert.deepEqual(await faults(), [])
  const edge = await start('c', { SLUICE_ROLES: 'edge' })
  await visit(edge, paths('c', 20))
  const [fault] = await faults()
  assert.equal(fault.code, 'log_unread')
  await eventually(() =>
    assert.match(edge.output(), /start a process with the role delivery and SLUICE_DATA=/),
  )
  await start('c', { SLUICE_ROLES: 'delivery' })
  await arrived([...known, ...paths('c', 20)].sort())
  assert.deepEqual(await faults(), [])
})

test('the machines count rate limits together, and each alone while Redis hangs', {
  skip: noRedis,
}, async () => {
  const { result } = await done(a, 'GET', '/accounts')
  const zone = { name: 'limited.test', account: { id: result[0].id }, origin: { url: origin.url } }
  const { id } = (await done(a, 'POST', '/zones', zone)).result
  const ratelimit = {
    characteristics: ['cf.colo.id', 'http.request.headers["x-client"]'],
    period: 60,
    requests_per_period: 10,
    mitigation_timeout: 600,
  }
  await done(a, 'PUT', `/zones/${id}/rulesets/phases/http_ratelimit/entrypoint`, {
    rules: [{ action: 'block', expression: 'true', ratelimit }],
  })
  await Promise.all([a, b].map(inForce))
  const ask = async ({ edgePort }: Instance, client: string) => {
    const answer = await origin.through(edgePort, zone.name, '/', { headers: { 'x-client': client } })
    await answer.text()
    return answer.status
  }
  const passed = async (machine: Instance, client: string) => {
    for (let count = 0; ; count++) if ((await ask(machine, client)) === 429) return count
  }
  /** Before its own count reaches the limit. */
  const limits = async (machine: Instance, client: string) => {
    for (let tries = 0; tries < 9; tries++) {
      if ((await ask(machine, client)) === 429) return true
      await sleep(200)
    }
    return false
  }
  const ready = async ({ apiUrl }: Instance) => (await fetch(new URL('/readyz', apiUrl))).text()
  assert.equal(await passed(a, 'one'), 10)
  assert.ok(await limits(b, 'one'))

  redis!.pause()
  assert.equal(await passed(b, 'two'), 10)
  await eventually(async () => assert.match(await ready(b), /counted on this machine alone/))
  redis!.resume()
  await eventually(async () => assert.doesNotMatch(await ready(b), /counted on this machine alone/))
  assert.ok(await limits(a, 'two'))
})

test('the machines end cleanly, and nothing came twice', async () => {
  const lines = await delivered()
  const exits = await Promise.all(Array.from(running, instance => instance.stop()))
  running.clear()
  assert.deepEqual([...new Set(exits)], [0])
  assert.deepEqual(await delivered(), lines)
  assert.equal(new Set(lines).size, 370)
})

async function start(machine: string, settings: Record<string, string> = {}): Promise<Instance> {
  const instance = await startSluice({
    data: join(directory, machine),
    settings: {
      SLUICE_DATABASE_URL: postgres.url,
      SLUICE_SECRET_KEY: '5a'.repeat(32),
      SLUICE_CRS: await miniCrs(),
      ...(redis === undefined ? {} : { SLUICE_REDIS_URL: redis.url }),
      ...settings,
    },
  })
  running.add(instance)
  return instance
}

async function kill(instance: Instance): Promise<void> {
  running.delete(instance)
  await instance.kill()
}

function paths(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `/${prefix}/${n}`)
}

/** A few at a time. */
async function visit({ edgePort }: Instance, all: readonly string[]): Promise<void> {
  const left = [...all]
  const client = async () => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      const answer = await origin.through(edgePort, host, path)
      assert.equal(answer.status, 200)
      await answer.text()
    }
  }
  await Promise.all(Array.from({ length: 4 }, client))
}

/** Until these are the paths of all lines. Looks again whenever an object is written: a job writes one every 30 s. */
async function arrived(want: readonly string[]): Promise<void> {
  for (;;) {
    const written = s3.written().then(() => true)
    const known = await delivered()
    if (isDeepStrictEqual(known, want)) return
    const goesOn = await Promise.race([written, sleep(patienceMs, false, { ref: false })])
    if (!goesOn) assert.deepEqual(known, want)
  }
}

/** Paths of all lines, sorted. */
async function delivered(): Promise<string[]> {
  return (await s3.lines('logs')).map(line => line['ClientRequestPath'] as string).sort()
}

async function done(instance: Instance, method: string, path: string, body?: unknown): Promise<ApiAnswer> {
  const answer = await api(instance, method, path, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.errors))
  return answer
}
