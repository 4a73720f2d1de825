import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Analytics, openAnalytics } from '../analytics/index.ts'
import { createChangeFeed, type RecordLog, type RecordReader } from '../bus/index.ts'
import { createImages, openCrs, readSetup } from '../crs/index.ts'
import { systemClock } from '../kit/clock.ts'
import { type DeliveryOutcome, startDelivery } from '../logpush/index.ts'
import type { LogpushJob } from '../model/resource.ts'
import type { Settings } from '../model/settings.ts'
import type { Store } from '../store/index.ts'
import { AnalyticsThread } from './analytics-thread.ts'
import { bootstrap, type FirstStart } from './bootstrap.ts'
import { prepareDashboard } from './dashboard.ts'
import { EdgeThread } from './edge-thread.ts'
import { EdgeWorkers } from './edge-workers.ts'
import { createLogger, type Logger } from './logger.ts'
import { countDelivery, exposeAnalytics, exposeJobs, exposeRecordLog } from './metrics.ts'
import { recordFaults } from './record-faults.ts'
import { type ProcessState, runApi, urlOf } from './run-api.ts'
import type { EdgeInput } from './run-edge.ts'
import { SampleOrigin } from './sample-origin.ts'
import { Shutdown } from './shutdown.ts'
import { openPreparedStore, openRecordLog, openStore } from './stores.ts'

export interface Running {
  /** `http://127.0.0.1:8787`; undefined without the control role. */
  readonly apiUrl: string | undefined
  /** `http://127.0.0.1:8080`; undefined without the edge role. */
  readonly edgeUrl: string | undefined
  /** Drains: requests in flight end, records reach the spool, batches under way are delivered. */
  stop(): Promise<void>
}

/**
 * Starts the roles that the settings name and resolves when everything answers.
 * @param report a line for the person at the terminal
 */
export async function serve(settings: Settings, report: (line: string) => void): Promise<Running> {
  const logger = createLogger()
  const shutdown = new Shutdown(logger)
  try {
    await mkdir(settings.data, { recursive: true, mode: 0o700 })
    const control = settings.roles.has('control')
    const store = await (control ? openStore(settings, true) : openPreparedStore(settings))
    shutdown.add('database', () => store.close())
    if (control) await prepare(store, settings, shutdown, report)
    // Beside the rest of the start.
    const dashboard = control ? prepareDashboard(report) : Promise.resolve(undefined)

    const log = await openLog(settings, logger, shutdown)
    const reader = await log.reader()
    exposeRecordLog(() => reader.stats())
    if (settings.roles.has('delivery')) await runDelivery(settings, store, reader, logger, shutdown)
    const analytics = control ? startAnalytics(settings, logger, shutdown) : undefined
    // Ends before delivery does, so that the last requests' records are still delivered.
    const edges = settings.roles.has('edge') ? startEdges(settings, store, logger, report) : undefined
    if (edges !== undefined) shutdown.add('edge', () => edges.stop())
    const state: ProcessState = { ready: false, edgeUrl: undefined }
    const apiUrl =
      analytics === undefined
        ? undefined
        : await runApi(
            {
              settings,
              store,
              reader: await log.reader(),
              analytics,
              edges,
              dashboard: await dashboard,
              state,
              logger,
            },
            shutdown,
          )
    const edgeUrl = edges === undefined ? undefined : urlOf(settings.edgeListen, await edges.port)
    Object.assign(state, { ready: true, edgeUrl })
    return { apiUrl, edgeUrl, stop: () => shutdown.run() }
  } catch (error) {
    await shutdown.run()
    throw error
  }
}

/** Reads every record into a file of its own, and answers from there. */
function startAnalytics(settings: Settings, logger: Logger, shutdown: Shutdown): Analytics {
  const path = join(settings.data, 'analytics.sqlite')
  const thread = new AnalyticsThread({ settings, path }, logger)
  exposeAnalytics(() => thread.progress())
  const analytics = openAnalytics(path)
  // Its thread begins with the first question: this one, before somebody waits for the answer.
  analytics.accountOverview('', 0).catch(error => logger.error({ err: error }, 'analytics do not answer'))
  shutdown.add('analytics', async () => {
    await analytics.close()
    await thread.stop()
  })
  return analytics
}

function startEdges(
  settings: Settings,
  store: Store,
  logger: Logger,
  report: (line: string) => void,
): EdgeWorkers {
  const images = createImages(store, settings.data)
  const startThread = (input: EdgeInput) => new EdgeThread(input, images)
  return EdgeWorkers.start({ settings, logger, report, startThread })
}

/** Makes sure that there is a rule set, an account, credentials and a first zone. */
async function prepare(
  store: Store,
  settings: Settings,
  shutdown: Shutdown,
  report: (line: string) => void,
): Promise<void> {
  const crs = openCrs({ store, data: settings.data, report })
  await crs.ensure({
    path: settings.crs,
    setup: settings.crsSetup === undefined ? undefined : await ownSetup(settings.crsSetup),
  })
  const sample = new SampleOrigin(store, report)
  shutdown.add('sample site', () => sample.close())
  const first = await bootstrap(store, settings, () => sample.begin())
  await sample.resume()
  if (first !== undefined) reportFirstStart(first, settings, report)
}

async function ownSetup(path: string): Promise<string> {
  try {
    return await readSetup(path)
  } catch (error) {
    throw new Error(`SLUICE_CRS_SETUP: ${(error as Error).message}`, { cause: error })
  }
}

function reportFirstStart(first: FirstStart, settings: Settings, report: (line: string) => void): void {
  report(`administrator's token (shown once, kept in ${settings.data}/admin-token): ${first.token}`)
  report(
    `key of ${first.email} for X-Auth-Key (shown once, kept in ${settings.data}/admin-key): ${first.key}`,
  )
}

async function openLog(settings: Settings, logger: Logger, shutdown: Shutdown): Promise<RecordLog> {
  const log = await openRecordLog(settings, recordFaults(logger))
  shutdown.add('record log', () => log.close())
  return log
}

async function runDelivery(
  settings: Settings,
  store: Store,
  reader: RecordReader,
  logger: Logger,
  shutdown: Shutdown,
): Promise<void> {
  const delivery = startDelivery({
    store,
    reader,
    clock: systemClock,
    destinations: settings.destinations,
    onOutcome(job, outcome) {
      countDelivery(job.id, outcome)
      logOutcome(logger, job, outcome)
    },
    onError: (message, error) => logger.error({ err: error }, message),
  })
  exposeJobs(() => delivery.lags())
  const feed = await createChangeFeed(store.changes, error =>
    logger.error({ err: error }, 'changes cannot be read'),
  )
  feed.subscribe(change => {
    if (change.kind === 'logpush' || change.kind === 'zone') delivery.refresh()
  })
  shutdown.add('delivery', async () => {
    await feed.close()
    await delivery.stop()
  })
}

function logOutcome(logger: Logger, { id: job }: LogpushJob, outcome: DeliveryOutcome): void {
  const { status, lines, bytes, bytesCompressed, message } = outcome
  if (outcome.outcome === 'successful')
    logger.info({ job, status, object: message, lines, bytes, bytesCompressed }, 'delivered')
  else if (outcome.outcome === 'retry')
    logger.warn({ job, status, reason: message }, 'delivery failed; it is tried again')
  else logger.error({ job, status, reason: message }, 'delivery is paused until somebody mends the job')
}
