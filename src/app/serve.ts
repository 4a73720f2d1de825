import { mkdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import type { Analytics } from '../analytics/index.ts'
import type { ChangeFeed, Forwarding, RateCounts, RecordLog, RecordReader } from '../bus/index.ts'
import { createSnapshots } from '../crs/index.ts'
import { systemClock } from '../kit/clock.ts'
import { reportJob } from '../logpush/index.ts'
import type { LogpushJob } from '../model/resource.ts'
import type { Settings } from '../model/settings/index.ts'
import type { Store } from '../store/index.ts'
import { prepareAcme } from './acme/run-acme.ts'
import { refuseUnusableAddresses } from './addresses.ts'
import { runAlerts } from './alerts/run-alerts.ts'
import { AnalyticsThread } from './analytics/thread.ts'
import { prepareDashboard } from './api/dashboard.ts'
import { type HealthServer, startHealthServer } from './api/health-server.ts'
import { type ProcessState, runApi, urlOf } from './api/run-api.ts'
import { runDelivery } from './delivery/run-delivery.ts'
import { watchCertificates } from './edge/certificate-watch.ts'
import { certificatesInUse, storedAndFileCertificates } from './edge/certificates-in-use.ts'
import { type EdgeStore, SharedAnswers } from './edge/edge-store.ts'
import { listenersOf } from './edge/listeners.ts'
import { type EdgeLogDeps, watchEdgeLog } from './edge/log-watch.ts'
import { openRateMemory, type RateMemory } from './edge/rate-memory.ts'
import type { EdgeInput } from './edge/run-edge.ts'
import { runForwarding } from './edge/run-forwarding.ts'
import { runHealthChecks } from './edge/run-health.ts'
import { areTracesOn, readSampling } from './edge/spans/environment.ts'
import { EdgeThread } from './edge/thread.ts'
import { type EdgeInheritance, EdgeWorkers } from './edge/workers.ts'
import { type FoundCopy, findEdgeCopy } from './edge-copy/open-edge-copy.ts'
import { prepareInstallation } from './first-start/prepare-installation.ts'
import { holdWork } from './hold-work.ts'
import { storeWaitLimits } from './limits.ts'
import { createLogger, type Logger } from './observe/logger.ts'
import { allMetrics, exposeAnalytics, exposeDatabase, exposeRecordLog } from './observe/metrics.ts'
import { exposeProcess, exposeThread } from './observe/process-metrics.ts'
import { recordFaults } from './observe/record-faults.ts'
import { conductRollout } from './rollout/conductor.ts'
import { openFeeds } from './rollout/feeds.ts'
import { waitForStage } from './rollout/wait-for-stage.ts'
import { Shutdown } from './shutdown.ts'
import { SoleWork } from './sole-work.ts'
import { DatabaseReach } from './state/database-reach.ts'
import type { KeyStore } from './state/keys.ts'
import { machineId } from './state/machine-id.ts'
import { openRecordLog } from './state/record-log.ts'
import { watchRecordLog } from './state/record-log-watch.ts'
import { lockRoles } from './state/role-locks.ts'
import { selfSignedOf } from './state/self-signed.ts'
import { openPreparedStore, openStore } from './state/stores.ts'
import type { Inheritance, Successor } from './supervise/inheritance.ts'

export interface Running {
  /** `http://127.0.0.1:8787`; undefined without the control role. */
  readonly apiUrl: string | undefined
  /** `https://127.0.0.1:8789`; undefined without the setting. */
  readonly apiTlsUrl: string | undefined
  /** `http://127.0.0.1:8080`; undefined without the edge role, or if the edge has unix sockets only. */
  readonly edgeUrl: string | undefined
  /**
   * `http://127.0.0.1:8081`, `spoe://127.0.0.1:8082`, `grpc://127.0.0.1:8083`: the addresses of the inspection
   * service for other proxies.
   */
  readonly inspectUrls: readonly string[]
  /** `http://127.0.0.1:8788`; undefined without the setting. */
  readonly healthUrl: string | undefined
  /**
   * For a process with an inheritance, once: begins delivery, analytics and orders of certificates. The process that it
   * replaces has ended its own. Errors are logged. @throws if a part cannot start
   */
  takeOver(): Promise<void>
  /**
   * Leaves new connections, health checks and the sole work to the process that takes over. Ends as `stop` does, once the
   * open connections have ended.
   */
  retire(successor: Successor): Promise<void>
  /** Adds the counts of rate limits of the process that this one has replaced. */
  addRateCounts(counts: RateCounts): void
  /** Queries of other processes of the supervisor, and their answers to this one's. Undefined without the control role. */
  readonly analytics: Pick<AnalyticsThread, 'answer' | 'settle'> | undefined
  /** Drains: requests in flight end, records reach the spool, open batches are delivered. */
  stop(): Promise<void>
}

/**
 * Starts the roles of the settings and resolves when all parts are ready.
 * @param report prints a line on the terminal
 * @param inheritance of a process that `sluice supervise` has started; the supervisor has checked and locked what it holds
 */
export async function serve(
  settings: Settings,
  report: (line: string) => void,
  inheritance?: Inheritance,
): Promise<Running> {
  if (areTracesOn(settings.traces, process.env)) readSampling(process.env)
  const logger = createLogger()
  const shutdown = new Shutdown(logger)
  try {
    if (inheritance === undefined) shutdown.add('data directory', await takeRoles(settings))
    const control = settings.roles.has('control')
    const evaluates = settings.roles.has('edge') || settings.roles.has('inspect')
    // An embedded database is on the same disk.
    const found =
      evaluates && settings.databaseUrl !== undefined ? await findEdgeCopy(settings, logger) : undefined
    shutdown.add('copy of the edge', () => found?.close())
    const store = await (control
      ? openStore(settings, true)
      : found?.isComplete
        ? openStore(settings, false, true)
        : openPreparedStore(settings, storeWaitLimits.preparedWaitMs, error =>
            reportWait(error, found, report),
          ))
    shutdown.add('database', () => store.close())
    // With the API in the same process, a person could not decide meanwhile.
    if (found?.isComplete === false && !control) await waitForStage(store, machineId(settings.data), report)
    if (control) await prepareInstallation(store, settings, inheritance !== undefined, shutdown, report)
    const startAcme = control ? await prepareAcme(settings, store, logger) : undefined
    // In parallel with the rest of the start.
    const dashboard = control ? prepareDashboard(report) : Promise.resolve(undefined)

    const reach = new DatabaseReach(logger)
    if (settings.databaseUrl !== undefined) exposeDatabase(() => reach.problem === undefined)
    const { changes, edge } = await openFeeds({ settings, store, reach, logger, shutdown }, found)
    const edgeStore = edge.copy?.store ?? store
    const log = await openLog(settings, edgeStore, logger, shutdown)
    const reader = await log.reader()
    const logWatch = control || settings.roles.has('delivery') ? watchRecordLog(reader, logger) : undefined
    shutdown.add('watch of the record log', () => logWatch?.stop())
    exposeProcess()
    exposeThread('main')
    let forwarding: Forwarding | undefined
    exposeRecordLog(
      async () => [...(await reader.stats().catch(() => [])), ...((await forwarding?.stats()) ?? [])],
      settings.spoolBytes,
    )
    let retiring = false
    const analytics = control ? analyticsThread(settings, logger, inheritance) : undefined
    const soleWork = new SoleWork(logger, async ends => {
      if (control) {
        const acme = startAcme?.()
        ends.add('certificates by ACME', () => acme?.stop())
        startAnalytics(analytics!, { settings, store, reader, logger }, ends)
        startAlerts(
          settings,
          { store, analytics: analytics!.analytics(), reader, edges: () => edges },
          logger,
          ends,
        )
      }
      if (settings.roles.has('delivery'))
        await runDelivery(settings, store, changes, reader, logger, ends, () => retiring)
      // Ends before delivery does, so that the last records are still delivered.
      if (evaluates) forwarding = await runForwarding(log, settings, edgeStore, edge.changes, logger, ends)
    })
    shutdown.add('sole work', () => soleWork.end())
    // With the API and delivery in the same process, no other process is left that could miss its edge.
    if (evaluates && !(control && settings.roles.has('delivery')))
      shutdown.add(
        'watch of delivery',
        watchEdgeLog({ ...edgeLog(settings, store, reader, logger), isShared: inheritance !== undefined }),
      )
    const state: ProcessState = { ready: false, edgeUrl: undefined }
    let edges: EdgeWorkers | undefined
    let rates: RateMemory | undefined
    const details = () =>
      [reach.problem, logWatch?.problem, rates?.problem].filter(problem => problem !== undefined)
    const openHealth = () =>
      startHealth(settings, { state, store, details, edges: () => edges }, inheritance?.single.health)
    // The process that this one replaces answers checks until this one is ready.
    let health = inheritance === undefined ? await openHealth() : undefined
    shutdown.add('health', () => health?.server.close())
    // Made before the edge starts, which uses the same file.
    const selfSigned =
      control && settings.apiTlsListen !== undefined
        ? await selfSignedOf(settings.data, systemClock.nowMs())
        : undefined
    rates = evaluates ? await openRateMemory(settings, logger, inheritance?.edge.rateSecret) : undefined
    shutdown.add('counters that machines share', () => rates?.close())
    // Ends before delivery does, so that the last requests' records are still delivered.
    edges = evaluates
      ? startEdges(settings, edgeStore, edge.changes, rates!.memory, logger, report, inheritance?.edge)
      : undefined
    shutdown.add('edge', () => edges?.stop())
    if (edges !== undefined) edge.report(edges)
    if (control && settings.databaseUrl !== undefined)
      shutdown.add('roll-out of changes', conductRollout(settings, store, logger))
    if (edges !== undefined && settings.roles.has('edge'))
      shutdown.add('health checks', await runHealthChecks(settings, store, changes, edges, logger))
    const openApi = async () =>
      analytics &&
      runApi(
        {
          settings,
          store,
          reader: await log.reader(),
          analytics: analytics.analytics(),
          edges,
          dashboard: await dashboard,
          state,
          details,
          selfSigned,
          logger,
          sockets: inheritance?.single,
        },
        shutdown,
      )
    let api = inheritance === undefined ? await openApi() : undefined
    const ports = await edges?.ports
    const edgeUrl = ports === undefined ? undefined : edgeUrlOf(settings, ports)
    if (edges !== undefined)
      shutdown.add('watch of certificates', watchCertificates(edges.certificates.bind(edges), logger))
    // Last, because its threads would take processor time from the parts that the start waits for.
    if (inheritance === undefined) await soleWork.begin()
    Object.assign(state, { ready: true, edgeUrl })
    api ??= await openApi()
    health ??= await openHealth()
    shutdown.add('readiness', () => {
      state.ready = false
    })
    return {
      apiUrl: api?.url,
      apiTlsUrl: api?.tlsUrl,
      edgeUrl,
      inspectUrls: inspectUrlsOf(settings, ports ?? []),
      healthUrl: health?.url,
      async takeOver() {
        try {
          await soleWork.begin()
        } catch (error) {
          logger.error({ err: error }, 'delivery and analytics cannot begin')
          throw error
        }
      },
      async retire(successor) {
        retiring = true
        if (edges !== undefined) successor.giveRateCounts(edges.rateCounts())
        await Promise.all([
          health?.server.retire(),
          api?.retire(),
          edges?.stop(true),
          soleWork.end().then(() => successor.handOver()),
        ])
        await shutdown.run()
      },
      addRateCounts: counts => edges?.addRateCounts(counts),
      analytics,
      stop: () => shutdown.run(),
    }
  } catch (error) {
    await shutdown.run()
    throw error
  }
}

/**
 * Makes this process the only one with its addresses and roles.
 * @returns releases the roles
 * @throws before the data directory is changed, if another process has one of them
 */
export async function takeRoles(settings: Settings): Promise<() => void> {
  await refuseUnusableAddresses(settings)
  await mkdir(settings.data, { recursive: true, mode: 0o700 })
  return lockRoles(settings.data, settings.roles)
}

/** The first address with a port. Undefined if the edge has unix sockets only. */
function edgeUrlOf(settings: Settings, ports: readonly number[]): string | undefined {
  for (const [at, { address, serves }] of listenersOf(settings).entries())
    if ('host' in address && typeof serves !== 'string')
      return urlOf(address, ports[at]!, serves.tls ? 'https' : 'http')
  return undefined
}

function inspectUrlsOf(settings: Settings, ports: readonly number[]): readonly string[] {
  return listenersOf(settings).flatMap(({ address, serves }, at) =>
    'host' in address && typeof serves === 'string' ? [urlOf(address, ports[at]!, serves)] : [],
  )
}

/**
 * An edge is ready while it can serve, even without the database; other roles need the database.
 * @param fd of a bound socket to listen on
 */
async function startHealth(
  { healthListen }: Settings,
  parts: {
    readonly state: ProcessState
    readonly store: Store
    readonly details: () => readonly string[]
    readonly edges: () => EdgeWorkers | undefined
  },
  fd: number | undefined,
): Promise<{ readonly url: string; readonly server: HealthServer } | undefined> {
  if (healthListen === undefined) return undefined
  const { state, store, details, edges } = parts
  const answers = () =>
    store.ping().then(
      () => true,
      () => false,
    )
  const server = await startHealthServer(fd === undefined ? healthListen : { fd }, {
    isReady: () => state.ready && (edges()?.serving ?? answers()),
    refuses: async () => edges()?.refuses(),
    details,
    certificates: () => certificatesInUse(edges(), store, systemClock.nowMs()),
    metrics: () => allMetrics(async () => (await edges()?.metrics()) ?? []),
  })
  return { url: urlOf(healthListen, server.port), server }
}

/** Reads every record into a separate file, and answers from it. */
function analyticsThread(
  settings: Settings,
  logger: Logger,
  inheritance: Inheritance | undefined,
): AnalyticsThread {
  const data = { settings, path: join(settings.data, 'analytics.duckdb') }
  const thread = new AnalyticsThread(data, logger, inheritance?.askAnalytics)
  exposeAnalytics(() => thread.progress())
  return thread
}

function startAnalytics(
  thread: AnalyticsThread,
  parts: {
    readonly settings: Settings
    readonly store: Store
    readonly reader: RecordReader
    readonly logger: Logger
  },
  shutdown: Shutdown,
): void {
  const { settings, store, reader, logger } = parts
  if (settings.clickhouseUrl !== undefined) {
    const work = `analytics of ${reader.log}`
    shutdown.add(
      'lease of analytics',
      holdWork(store, work, held => thread.read(held), logger),
    )
  }
  thread.start()
  shutdown.add('analytics', () => thread.stop())
}

/** Tells the receivers of notification policies what happens. */
function startAlerts(
  settings: Settings,
  parts: {
    readonly store: Store
    readonly analytics: Analytics
    readonly reader: RecordReader
    readonly edges: () => EdgeWorkers | undefined
  },
  logger: Logger,
  shutdown: Shutdown,
): void {
  const { store, analytics, reader, edges } = parts
  const sources = {
    store,
    analytics,
    reportJob: (job: LogpushJob, sinceHour: string) => reportJob({ store, reader }, job, sinceHour),
    certificates: () => storedAndFileCertificates(edges(), store, systemClock.nowMs()),
    edge: () =>
      edges() === undefined ? undefined : { location: machineId(settings.data), host: hostname() },
  }
  const alerts = runAlerts(settings, sources, logger)
  shutdown.add('alerts', () => alerts.stop())
}

function startEdges(
  settings: Settings,
  store: EdgeStore,
  changes: ChangeFeed,
  rateMemory: SharedArrayBuffer,
  logger: Logger,
  report: (line: string) => void,
  inheritance: EdgeInheritance | undefined,
): EdgeWorkers {
  const snapshots = createSnapshots(store, settings.data)
  const { answer: ask } = new SharedAnswers(store, changes)
  const startThread = (input: EdgeInput) => new EdgeThread(input, { ask, snapshots, changes })
  const machine = machineId(settings.data)
  return EdgeWorkers.start({ settings, machine, rateMemory, logger, report, startThread, inheritance })
}

function reportWait(error: Error, found: FoundCopy | undefined, report: (line: string) => void): void {
  report(
    found === undefined
      ? `waiting for the database: ${error.message}`
      : `waiting for the database, because this edge has no copy of its documents yet: ${error.message}`,
  )
}

async function openLog(
  settings: Settings,
  store: KeyStore,
  logger: Logger,
  shutdown: Shutdown,
): Promise<RecordLog> {
  const log = await openRecordLog(settings, recordFaults(logger), store)
  shutdown.add('record log', () => log.close())
  return log
}

function edgeLog(settings: Settings, store: Store, { log }: RecordReader, logger: Logger): EdgeLogDeps {
  const { data, natsUrl } = settings
  const remedy =
    natsUrl === undefined
      ? `start a process with the role delivery and SLUICE_DATA=${resolve(data)} on this machine, or give all processes of the installation one SLUICE_NATS_URL`
      : 'start a process with the role delivery, the same database and the same SLUICE_NATS_URL'
  return { store, log, location: machineId(data), remedy, logger }
}
