import { createChangeFeed, LocalRateCounters } from '../bus/index.ts'
import { createPrograms, type Images } from '../crs/index.ts'
import { createEdge, type GeoDatabases, placeLookup } from '../edge/index.ts'
import { CidrSet, parseCidr } from '../kit/cidr.ts'
import { systemClock } from '../kit/clock.ts'
import type { TraceAnswer, TraceRequest } from '../model/request-trace.ts'
import type { Settings } from '../model/settings.ts'
import { explainInSlices } from '../waf/index.ts'
import { openAuditLog } from './audit-log.ts'
import { clearanceKey } from './keys.ts'
import { createLogger } from './logger.ts'
import { exposeEdge, exposeRateCounters, exposeSamples, exposeShadows } from './metrics.ts'
import { PlanTable } from './plan-table.ts'
import { recordFaults } from './record-faults.ts'
import { Shutdown } from './shutdown.ts'
import { openPreparedStore, openRecordLog } from './stores.ts'
import { WarmUp } from './warm-up.ts'

export interface PreparedEdge {
  /** @param shared other threads listen on the same port. @returns the port */
  listen(port: number, shared: boolean): Promise<number>
  /** As `Edge.trace`; what goes wrong is in the log. */
  trace(request: TraceRequest): Promise<TraceAnswer>
  /** Drains; also when it never listened. */
  stop(): Promise<void>
}

/** What an edge is made from; threads are given it. */
export interface EdgeInput {
  readonly settings: Settings
  /** Name of its part of the record log; of no other running edge. */
  readonly partition: string
  /** Read once, shared by the threads. */
  readonly geo: GeoDatabases
  /** Counts of rate limits, of all threads together. */
  readonly rateMemory: SharedArrayBuffer
}

/**
 * Prepares one edge up to where it only has to listen: plans from the database, requests to the origins, records to the
 * record log.
 * @param images of programs, compiled elsewhere
 */
export async function prepareEdge(
  { settings, partition, geo, rateMemory }: EdgeInput,
  images: Images,
): Promise<PreparedEdge> {
  const logger = createLogger(partition)
  const shutdown = new Shutdown(logger)
  const store = await openPreparedStore(settings)
  shutdown.add('database', () => store.close())
  const programs = createPrograms(store, images)
  const warmUp = new WarmUp(() => performance.now())
  const plans = new PlanTable({
    store,
    programFor: programs.programFor,
    defaultZone: settings.defaultZone,
    prepare: plan =>
      warmUp
        .prepare(plan)
        .catch(error => logger.error({ err: error }, 'a program could not be run to warm it up')),
    onError: (message, error) => logger.error({ err: error }, message),
  })
  shutdown.add('plans', () => plans.close())
  const feed = await createChangeFeed(store.changes, error =>
    logger.error({ err: error }, 'changes cannot be read; the running plans stay'),
  )
  shutdown.add('changes', () => feed.close())
  // Subscribed in the turn in which the feed begins, and before the plans are read, so that no change falls between.
  feed.subscribe(change => void plans.apply(change))
  const [log] = await Promise.all([openRecordLog(settings, recordFaults(logger)), plans.load()])
  const records = await log.writer(partition)
  shutdown.add('records', async () => {
    await records.flush()
    await log.close()
  })
  const auditLog =
    settings.auditLog === undefined ? undefined : await openAuditLog(settings.auditLog, settings.auditLogMode)
  const rateCounters = new LocalRateCounters(rateMemory)
  const edge = createEdge({
    plans,
    records,
    ...(auditLog === undefined ? {} : { auditLog }),
    clock: systemClock,
    clearanceKey: await clearanceKey(store),
    trustedProxies: new CidrSet(settings.trustedProxies.map(block => parseCidr(block)!)),
    place: placeLookup(geo),
    rateCounters,
    onIncomplete: settings.onError,
    explain: explainInSlices,
    logger,
  })
  exposeEdge(() => edge.stats())
  exposeShadows(() => edge.stats())
  exposeSamples(() => edge.stats())
  exposeRateCounters(rateCounters)
  return {
    async listen(port, shared) {
      const listening = await edge.listen(settings.edgeListen.host, port, shared)
      shutdown.add('edge', () => edge.close())
      return listening
    },
    async trace(request) {
      try {
        return await edge.trace(request)
      } catch (error) {
        logger.error({ err: error }, 'a request could not be traced')
        throw error
      }
    },
    stop: () => shutdown.run(),
  }
}
