import { createChangeFeed } from '../bus/index.ts'
import { createPrograms } from '../crs/index.ts'
import { createEdge, openCountryLookup } from '../edge/index.ts'
import { CidrSet, parseCidr } from '../kit/cidr.ts'
import { systemClock } from '../kit/clock.ts'
import type { Settings } from '../model/settings.ts'
import { openAuditLog } from './audit-log.ts'
import { clearanceKey } from './keys.ts'
import { createLogger } from './logger.ts'
import { exposeEdge } from './metrics.ts'
import { PlanTable } from './plan-table.ts'
import { recordFaults } from './record-faults.ts'
import { Shutdown } from './shutdown.ts'
import { openPreparedStore, openRecordLog } from './stores.ts'

export interface RunningEdge {
  readonly port: number
  stop(): Promise<void>
}

/**
 * Runs one edge: plans from the database, requests to the origins, records to the record log.
 * @param partition name of its part of the record log; of no other running edge
 */
export async function runEdge(settings: Settings, partition: string): Promise<RunningEdge> {
  const logger = createLogger()
  const shutdown = new Shutdown(logger)
  const store = await openPreparedStore(settings)
  shutdown.add('database', () => store.close())
  const programs = createPrograms(store)
  const plans = new PlanTable({
    store,
    programFor: programs.programFor,
    defaultZone: settings.defaultZone,
    onError: (message, error) => logger.error({ err: error }, message),
  })
  shutdown.add('plans', () => plans.close())
  const feed = await createChangeFeed(store.changes, error =>
    logger.error({ err: error }, 'changes cannot be read; the running plans stay'),
  )
  shutdown.add('changes', () => feed.close())
  // Subscribed in the turn in which the feed begins, and before the plans are read, so that no change falls between.
  feed.subscribe(change => void plans.apply(change))
  const [country, log] = await Promise.all([
    openCountryLookup(),
    openRecordLog(settings, recordFaults(logger)),
    plans.load(),
  ])
  const records = await log.writer(partition)
  shutdown.add('records', async () => {
    await records.flush()
    await log.close()
  })
  const auditLog =
    settings.auditLog === undefined ? undefined : await openAuditLog(settings.auditLog, settings.auditLogMode)
  const edge = createEdge({
    plans,
    records,
    ...(auditLog === undefined ? {} : { auditLog }),
    clock: systemClock,
    clearanceKey: await clearanceKey(store),
    trustedProxies: new CidrSet(settings.trustedProxies.map(block => parseCidr(block)!)),
    country,
    logger,
  })
  exposeEdge(() => edge.stats())
  const port = await edge.listen(settings.edgeListen.host, settings.edgeListen.port)
  shutdown.add('edge', () => edge.close())
  return { port, stop: () => shutdown.run() }
}
