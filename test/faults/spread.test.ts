import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { partitionOfZone } from '../../src/bus/nats/partition-of.ts'
import { isForwarded } from '../../src/bus/testing/nats.ts'
import { startJob } from '../../src/logpush/index.ts'
import type { Zone } from '../../src/model/resource.ts'
import { aJob, anAccount, aZone } from '../../src/store/testing/data.ts'
import { eventually } from '../support/eventually.ts'
import { startS3 } from '../support/s3-server.ts'
import { hasNats, startNats } from '../support/servers.ts'
import { SharedPostgres } from '../support/shared-postgres.ts'
import { Spares } from './children.ts'
import { openDatabase } from './database.ts'
import type { DeliveryTask, LogOptions, Report } from './messages.ts'
import { recordLogOf } from './open-log.ts'
import { Watched } from './watched.ts'

const partitions = 4
const names = ['first', 'second']
const leaseMs = 4000
const tickMs = 100

test('processes share the partitions of a job; each line arrives once when they start, die and are suspended', {
  skip: hasNats ? false : 'no nats-server on the path',
}, async t => {
  const ends: (() => unknown)[] = []
  t.after(async () => {
    for (const end of ends.reverse()) await end()
  })
  const directory = await mkdtemp(join(tmpdir(), 'sluice-spread-'))
  ends.push(() => rm(directory, { recursive: true, force: true }))
  const nats = await startNats()
  ends.push(() => nats.close())
  const s3 = await startS3(['logs'])
  ends.push(() => s3.close())
  const postgres = new SharedPostgres()
  ends.push(() => postgres.close())
  const spares = await Spares.open(['delivery'])
  ends.push(() => spares.close())
  const database = await postgres.database()
  const store = await openDatabase(database, true)
  ends.push(() => store.close())
  const policy = { sync: 'interval', bytes: 64 << 20, full: 'drop-oldest', ageMs: 60_000 } as const
  const options: LogOptions = {
    directory: join(directory, 'spool'),
    natsUrl: nats.url,
    partitions,
    aheadMs: 0,
    policy,
  }
  const log = await recordLogOf(options)
  ends.push(() => log.close())
  const [writer, reader] = [await log.writer('edge-1'), await log.reader()]
  const forwarding = await log.forward!()

  const account = anAccount()
  await store.accounts.insert(account)
  const zones = Array.from({ length: partitions }, (_, at) => aZoneOf(account.id, at + 1))
  for (const zone of zones) await store.zones.insert(zone)
  let written = 0
  /** A record of each zone. */
  const write = async () => {
    for (const zone of zones) {
      const record = { zone: zone.id, account: account.id, dataset: 'http_requests' }
      writer.append(JSON.stringify({ ...record, fields: { RayID: String(written++) } }))
    }
    await writer.flush()
    await isForwarded(forwarding)
  }
  const job = async (name: string) => {
    const query = `region=us-east-1&endpoint=${encodeURIComponent(s3.url)}&access-key-id=S3RVER&secret-access-key=the-right-secret`
    const changes = {
      name,
      destinationConf: `s3://logs/${name}?${query}`,
      logpullOptions: 'fields=RayID',
      // Less than a person may ask for.
      maxUploadIntervalSeconds: 0.3,
    }
    const made = await store.jobs.insert(
      aJob({ kind: 'account', id: account.id }, { ...changes, enabled: false }),
    )
    await startJob({ store, reader }, made)
    await store.jobs.update({ ...made, enabled: true })
  }
  await write()
  for (const name of names) await job(name)
  written = 0

  /** Paths of the objects of one job since the last look, by location. */
  const delivered = new Map<string, Set<string>>()
  const faults: string[] = []
  const aProcess = (location: string) => {
    const task = (): DeliveryTask => ({
      log: { ...options, directory: join(directory, location) },
      database,
      partsFromBytes: undefined,
      uploadMs: 120_000,
      calm: false,
      location,
      leaseMs,
      tickMs,
    })
    const onReport = ({ fault, outcome }: Report) => {
      if (fault !== undefined) faults.push(`${location}: ${fault.message}`)
      if (outcome?.outcome !== 'successful' || outcome.job !== names[0]) return
      delivered.set(location, (delivered.get(location) ?? new Set()).add(outcome.message))
    }
    const process = new Watched({
      spares,
      kind: 'delivery',
      task,
      onReport,
      onDeath: why => faults.push(`${location}: ${why}`),
      beforeNext: () => {},
    })
    ends.push(() => process.close())
    return process
  }
  /** The numbers of the lines in each object, by path. */
  const objects = new Map<string, readonly number[]>()
  const lookAtNewObjects = async () => {
    for (const name of names)
      for (const path of await s3.keys('logs', `${name}/`))
        if (!objects.has(path))
          objects.set(
            path,
            (await s3.lines('logs', path)).map(({ RayID }) => Number(RayID)),
          )
  }
  /**
   * However long it takes on a busy machine, as long as objects arrive. The database ends the transaction of a suspended
   * process after one of these waits at the latest.
   */
  const everyLineOnce = async () => {
    for (let idle = 0; ; ) {
      const { size } = objects
      try {
        return await eventually(hasEveryLine)
      } catch (error) {
        if (objects.size > size) idle = 0
        else if (++idle === 2) throw error
      }
    }
  }
  const hasEveryLine = async () => {
    await lookAtNewObjects()
    for (const name of names) {
      const lines = [...objects].flatMap(([path, numbers]) => (path.startsWith(`${name}/`) ? numbers : []))
      assert.deepEqual(
        lines.sort((a, b) => a - b),
        Array.from({ length: written }, (_, at) => at),
        name,
      )
    }
  }
  /** The partitions that a process has delivered since the last look. */
  const shareOf = (location: string) => {
    const numbers = [...(delivered.get(location) ?? [])].flatMap(path => objects.get(path) ?? [])
    return new Set(numbers.map(number => number % partitions))
  }
  /** Until each of these processes delivers the same number of partitions. */
  const shared = async (...locations: readonly string[]) => {
    for (let tries = 0; ; tries++) {
      delivered.clear()
      await write()
      await everyLineOnce()
      const shares = locations.map(location => shareOf(location).size)
      if (
        delivered.size === locations.length &&
        shares.every(share => share === partitions / locations.length)
      )
        return
      assert.ok(tries < 100, `shares ${shares}`)
    }
  }

  const one = aProcess('one')
  await one.ready()
  await shared('one')
  const two = aProcess('two')
  await shared('one', 'two')
  const [three, four] = [aProcess('three'), aProcess('four')]
  await shared('one', 'two', 'three', 'four')
  assert.deepEqual(faults, [])

  // Killed, and back at the same location.
  await write()
  await two.kill()
  await write()
  await everyLineOnce()
  await shared('one', 'two', 'three', 'four')

  // Ended, and then suspended until others have its share; it goes on in between.
  for (const process of [two, four]) assert.ok(await process.end({ tell: 'stop' }, 30_000))
  await write()
  process.kill(three.pid, 'SIGSTOP')
  await write()
  await everyLineOnce()
  await write()
  process.kill(three.pid, 'SIGCONT')
  await shared('one', 'three')
  for (const process of [one, three]) assert.ok(await process.end({ tell: 'stop' }, 30_000))
  await everyLineOnce()
})

/** A zone whose records come to this partition. */
function aZoneOf(accountId: string, partition: number): Zone {
  for (;;) {
    const zone = aZone(accountId)
    if (partitionOfZone(zone.id, partitions) === partition) return zone
  }
}
