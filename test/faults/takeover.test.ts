import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLocalRecordLog } from '../../src/bus/index.ts'
import { startJob } from '../../src/logpush/index.ts'
import type { LogpushJob } from '../../src/model/resource.ts'
import type { Store } from '../../src/store/index.ts'
import { aJob, scopeOf, zoneIn } from '../../src/store/testing/data.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receivers/receiver.ts'
import { SharedPostgres } from '../support/shared-postgres.ts'
import { Spares } from './children.ts'
import { openDatabase } from './database.ts'
import type { DeliveryTask, Report } from './messages.ts'
import { Watched } from './watched.ts'

/** Several processes deliver the same jobs; one dies, one is stopped (SIGSTOP) and goes on after its lease. */

const jobsMax = 8
const leaseMs = 2000
const policy = { sync: 'interval', bytes: 24 * 1024 * 1024, full: 'drop-oldest', ageMs: 60_000 } as const

/** Before two processes share the jobs. */
const sharedTriesMax = 200

interface Fault {
  readonly location: string
  readonly message: string
}

/** A busy machine may not let a process renew its leases in time, and then the other one continues. */
const isUnexpected = ({ message }: Fault) => !/job \d+ is delivered by another process now/.test(message)

const postgres = new SharedPostgres()
let spares: Spares
before(async () => {
  spares = await Spares.open(['delivery'])
})
after(async () => {
  await spares.close()
  await postgres.close()
})

/** Takes batches, and tells a second attempt by its key; where it is told to, it answers late. */
async function aDestination(t: TestContext) {
  const seen = new Set<string>()
  const lines = new Map<string, string[]>()
  const receiver = await startReceiver(t, () => ({ status: 200 }), { tls: false })
  const state = {
    hold: undefined as Promise<void> | undefined,
    held: new Set<string>(),
    lines,
    /** Batches, each once. */
    batches: seen,
    host: receiver.host,
  }
  receiver.instead = async ({ url, headers, text }) => {
    const key = String(headers['idempotency-key'])
    if (!text.includes('RayID')) return { status: 200 }
    if (!seen.has(key)) {
      seen.add(key)
      const rays = text
        .trimEnd()
        .split('\n')
        .map(line => (JSON.parse(line) as { RayID: string }).RayID)
      lines.set(url.pathname, [...(lines.get(url.pathname) ?? []), ...rays])
    }
    if (state.hold !== undefined) {
      state.held.add(url.pathname)
      await state.hold
    }
    return { status: 200 }
  }
  return state
}

for (const kind of ['SQLite', 'PostgreSQL'] as const)
  test(`two processes deliver each line once, one dies, one is stopped and goes on after its lease: ${kind}`, async t => {
    const directory = await mkdtemp(join(tmpdir(), 'sluice-takeover-'))
    t.after(() => rm(directory, { recursive: true, force: true }))
    const database = kind === 'SQLite' ? join(directory, 'sluice.db') : await postgres.database()
    const store: Store = await openDatabase(database, true)
    t.after(() => store.close())
    const log = openLocalRecordLog(join(directory, 'spool'), ({ message }) => assert.fail(message), policy)
    t.after(() => log.close())
    const [writer, reader] = [await log.writer('edge-1'), await log.reader()]
    const zone = await zoneIn(store)
    const destination = await aDestination(t)
    let written = 0
    const write = async (count: number) => {
      for (const end = written + count; written < end; written++) {
        const record = { zone: zone.id, account: zone.accountId, dataset: 'http_requests' }
        writer.append(JSON.stringify({ ...record, fields: { RayID: String(written) } }))
      }
      await writer.flush()
    }
    await write(1)
    const jobs: LogpushJob[] = []
    for (let n = 0; n < jobsMax; n++) {
      const destinationConf = `http://${destination.host}/${n}`
      const changes = { destinationConf, logpullOptions: 'fields=RayID', maxUploadRecords: 1, enabled: false }
      const job = await store.jobs.insert(aJob(scopeOf(zone), changes))
      await startJob({ store, reader }, job)
      await store.jobs.update({ ...job, enabled: true })
      jobs.push(job)
    }

    const faults: Fault[] = []
    const delivered = new Map<string, Set<string>>()
    const aProcess = (location: string) => {
      const task = (): DeliveryTask => ({
        log: { directory: join(directory, 'spool'), natsUrl: undefined, aheadMs: 0, policy },
        database,
        partsFromBytes: undefined,
        uploadMs: 120_000,
        calm: false,
        location,
        leaseMs,
      })
      const onReport = ({ fault, outcome }: Report) => {
        if (fault !== undefined) faults.push({ location, message: fault.message })
        if (outcome?.outcome !== 'successful') return
        delivered.set(location, (delivered.get(location) ?? new Set()).add(outcome.job ?? ''))
      }
      const process = new Watched({
        spares,
        kind: 'delivery',
        task,
        onReport,
        onDeath: why => faults.push({ location, message: String(why) }),
        beforeNext: () => {},
      })
      t.after(() => process.close())
      return process
    }
    /** However long it takes on a busy machine, as long as batches arrive. */
    const everyLineOnce = async () => {
      for (;;) {
        const { size } = destination.batches
        try {
          return await eventually(hasEveryLine)
        } catch (error) {
          if (destination.batches.size === size) throw error
        }
      }
    }
    const hasEveryLine = () => {
      for (let n = 0; n < jobsMax; n++) {
        const rays = (destination.lines.get(`/${n}`) ?? []).map(Number).sort((a, b) => a - b)
        assert.deepEqual(
          rays,
          Array.from({ length: written - 1 }, (_, at) => at + 1),
          `job ${n}`,
        )
      }
    }
    /** Until both have a share, and each job has one deliverer at a time. */
    const shared = async (one: string, two: string) => {
      for (let tries = 0; ; tries++) {
        delivered.clear()
        await write(1)
        await everyLineOnce()
        if (delivered.has(one) && delivered.has(two)) return
        assert.ok(tries < sharedTriesMax, 'both deliver')
        await sleep(100)
      }
    }

    const one = aProcess('one')
    await one.ready()
    await write(8)
    await everyLineOnce()
    const two = aProcess('two')
    await two.ready()
    await shared('one', 'two')
    await write(8)
    await everyLineOnce()

    // The other takes over what a process had that dies; it is back at the same location, and shares again.
    await one.kill()
    await write(8)
    await everyLineOnce()
    await one.ready()
    await shared('one', 'two')
    assert.deepEqual(faults.filter(isUnexpected), [])

    // Stopped while the destination has not answered yet; the other sends the same batches under the same keys.
    const answer = Promise.withResolvers<void>()
    destination.held.clear()
    destination.hold = answer.promise
    await write(5)
    await eventually(() => assert.equal(destination.held.size, jobsMax))
    process.kill(two.pid, 'SIGSTOP')
    destination.hold = undefined
    answer.resolve()
    await write(8)
    await everyLineOnce()
    const cursors = async () =>
      Promise.all(jobs.map(async ({ id }) => [...(await store.delivery.cursors({ jobId: id, replay: 0 }))]))
    const taken = () =>
      eventually(async () => {
        for (const positions of await cursors())
          for (const [, sequence] of positions) assert.ok(sequence >= written - 5)
      })
    await taken()
    const before = await cursors()
    process.kill(two.pid, 'SIGCONT')
    await eventually(() => {
      const said = faults.filter(({ location }) => location === 'two')
      assert.ok(said.some(fault => !isUnexpected(fault)))
    })
    for (const [job, positions] of (await cursors()).entries())
      for (const [at, [, sequence]] of positions.entries()) assert.ok(sequence >= before[job]![at]![1])
    await shared('one', 'two')
    await write(8)
    await everyLineOnce()
    assert.deepEqual(
      faults.filter(fault => fault.location !== 'two' && isUnexpected(fault)),
      [],
    )
    for (const [n, { id }] of jobs.entries())
      await eventually(async () => {
        const counts = await store.delivery.counts(id, '')
        const lines = counts
          .filter(({ outcome }) => outcome === 'successful')
          .reduce((sum, { lines }) => sum + lines, 0)
        assert.equal(lines, destination.lines.get(`/${n}`)!.length)
      })
    for (const process of [one, two]) assert.ok(await process.end({ tell: 'stop' }, 30_000))
  })
