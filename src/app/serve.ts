import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Analytics, openAnalytics } from '../analytics/index.ts'
import { createChangeFeed, type RecordLog, type RecordReader } from '../bus/index.ts'
import { createSnapshots, isOldRelease, openCrs, readSetup } from '../crs/index.ts'
import { systemClock } from '../kit/clock.ts'
import { type DeliveryOutcome, startDelivery } from '../logpush/index.ts'
import type { CrsRelease, LogpushJob } from '../model/resource.ts'
import type { Settings } from '../model/settings/index.ts'
import type { Store } from '../store/index.ts'
import { runAcme } from './acme/run-acme.ts'
import { refuseUnusableAddresses } from './addresses.ts'
import { AnalyticsThread } from './analytics/thread.ts'
import { prepareDashboard } from './api/dashboard.ts'
import { type HealthServer, startHealthServer } from './api/health-server.ts'
import { type ProcessState, runApi, urlOf } from './api/run-api.ts'
import { watchCertificates } from './edge/certificate-watch.ts'
import { certificatesInUse } from './edge/certificates-in-use.ts'
import { listenersOf } from './edge/listeners.ts'
import { type EdgeLogDeps, watchEdgeLog } from './edge/log-watch.ts'
import type { EdgeInput } from './edge/run-edge.ts'
import { runHealthChecks } from './edge/run-health.ts'
import { EdgeThread } from './edge/thread.ts'
import { type EdgeInheritance, EdgeWorkers } from './edge/workers.ts'
import { bootstrap, ensureAccount, type FirstStart, startActor } from './first-start/bootstrap.ts'
import { SampleOrigin } from './first-start/sample-origin.ts'
import { createLogger, type Logger } from './observe/logger.ts'
import {
  allMetrics,
  countDelivery,
  countLoss,
  countReset,
  exposeAnalytics,
  exposeJobs,
  exposeRecordLog,
} from './observe/metrics.ts'
import { recordFaults } from './observe/record-faults.ts'
import { Shutdown } from './shutdown.ts'
import { destinationPolicy } from './state/destination-policy.ts'
import { machineId } from './state/machine-id.ts'
import { lockRoles } from './state/role-locks.ts'
import { selfSignedOf } from './state/self-signed.ts'
import { openPreparedStore, openRecordLog, openStore } from './state/stores.ts'
import type { Inheritance } from './supervise/inheritance.ts'
import { systemAudit } from './system-audit.ts'

export interface Running {
  /** `http://127.0.0.1:8787`; undefined without the control role. */
  readonly apiUrl: string | undefined
  /** `https://127.0.0.1:8789`; undefined without the setting. */
  readonly apiTlsUrl: string | undefined
  /** `http://127.0.0.1:8080`; undefined without the edge role, or if the edge has unix sockets only. */
  readonly edgeUrl: string | undefined
  /** `http://127.0.0.1:8081`, `spoe://127.0.0.1:8082`, `grpc://127.0.0.1:8083`: where other proxies ask. */
  readonly inspectUrls: readonly string[]
  /** `http://127.0.0.1:8788`; undefined without the setting. */
  readonly healthUrl: string | undefined
  /**
   * Leaves new connections and health checks to the process that has taken over. Ends as `stop` does, once the open
   * connections have ended.
   */
  retire(): Promise<void>
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
  const logger = createLogger()
  const shutdown = new Shutdown(logger)
  try {
    if (inheritance === undefined) shutdown.add('data directory', await takeRoles(settings))
    const control = settings.roles.has('control')
    const evaluates = settings.roles.has('edge') || settings.roles.has('inspect')
    const store = await (control ? openStore(settings, true) : openPreparedStore(settings))
    shutdown.add('database', () => store.close())
    if (control) {
      await prepare(store, settings, shutdown, report)
      const acme = await runAcme(settings, store, logger)
      shutdown.add('certificates by ACME', () => acme?.stop())
    }
    // In parallel with the rest of the start.
    const dashboard = control ? prepareDashboard(report) : Promise.resolve(undefined)

    const log = await openLog(settings, store, logger, shutdown)
    const reader = await log.reader()
    exposeRecordLog(() => reader.stats())
    if (settings.roles.has('delivery')) await runDelivery(settings, store, reader, logger, shutdown)
    else if (evaluates)
      shutdown.add(
        'watch of the record log',
        watchEdgeLog({ ...edgeLog(settings, store, reader, logger), isShared: inheritance !== undefined }),
      )
    const analytics = control ? startAnalytics(settings, logger, shutdown) : undefined
    const state: ProcessState = { ready: false, edgeUrl: undefined }
    let edges: EdgeWorkers | undefined
    const openHealth = () =>
      startHealth(settings, { state, store, edges: () => edges }, inheritance?.healthFd)
    // The process that this one replaces answers checks until this one is ready.
    let health = inheritance === undefined ? await openHealth() : undefined
    shutdown.add('health', () => health?.server.close())
    // Made before the edge starts, which uses the same file.
    const selfSigned =
      control && settings.apiTlsListen !== undefined
        ? await selfSignedOf(settings.data, systemClock.nowMs())
        : undefined
    // Ends before delivery does, so that the last requests' records are still delivered.
    edges = evaluates ? startEdges(settings, store, logger, report, inheritance?.edge) : undefined
    shutdown.add('edge', () => edges?.stop())
    if (edges !== undefined && settings.roles.has('edge'))
      shutdown.add('health checks', await runHealthChecks(settings, store, edges, logger))
    const api =
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
              selfSigned,
              logger,
            },
            shutdown,
          )
    const ports = await edges?.ports
    const edgeUrl = ports === undefined ? undefined : edgeUrlOf(settings, ports)
    if (edges !== undefined)
      shutdown.add('watch of certificates', watchCertificates(edges.certificates.bind(edges), logger))
    Object.assign(state, { ready: true, edgeUrl })
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
      async retire() {
        await health?.server.retire()
        await edges?.stop(true)
        await shutdown.run()
      },
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

/** Interval of delivery's marks if a full log refuses requests. */
const refusingUpkeepMs = 1000

/**
 * An edge is ready while it can serve, even without the database; other roles need the database.
 * @param fd of a bound socket to listen on
 */
async function startHealth(
  { healthListen }: Settings,
  parts: {
    readonly state: ProcessState
    readonly store: Store
    readonly edges: () => EdgeWorkers | undefined
  },
  fd: number | undefined,
): Promise<{ readonly url: string; readonly server: HealthServer } | undefined> {
  if (healthListen === undefined) return undefined
  const { state, store, edges } = parts
  const answers = () =>
    store.ping().then(
      () => true,
      () => false,
    )
  const server = await startHealthServer(fd === undefined ? healthListen : { fd }, {
    isReady: () => state.ready && (edges()?.serving ?? answers()),
    refuses: async () => edges()?.refuses(),
    certificates: () => certificatesInUse(edges(), store, systemClock.nowMs()),
    metrics: () => allMetrics(async () => (await edges()?.metrics()) ?? []),
  })
  return { url: urlOf(healthListen, server.port), server }
}

/** Reads every record into a separate file, and answers from there. */
function startAnalytics(settings: Settings, logger: Logger, shutdown: Shutdown): Analytics {
  const path = join(settings.data, 'analytics.sqlite')
  const thread = new AnalyticsThread({ settings, path }, logger)
  exposeAnalytics(() => thread.progress())
  const analytics = openAnalytics(path)
  // Its thread starts with the first query: this one, before a user waits for an answer.
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
  inheritance: EdgeInheritance | undefined,
): EdgeWorkers {
  const snapshots = createSnapshots(store, settings.data)
  const startThread = (input: EdgeInput) => new EdgeThread(input, snapshots)
  const machine = machineId(settings.data)
  return EdgeWorkers.start({ settings, machine, logger, report, startThread, inheritance })
}

/** Ensures that a CRS release, an account, credentials and a first zone exist. */
async function prepare(
  store: Store,
  settings: Settings,
  shutdown: Shutdown,
  report: (line: string) => void,
): Promise<void> {
  await ensureAccount(store)
  const audit = await systemAudit(store, startActor)
  const crs = openCrs({ store, data: settings.data, report, reach: settings.destinations })
  const release = await crs.ensure({
    path: settings.crs,
    setup: settings.crsSetup === undefined ? undefined : await ownSetup(settings.crsSetup),
    audit: audit.crs,
  })
  const sample = new SampleOrigin(store, audit, report)
  shutdown.add('sample site', () => sample.close())
  const first = await bootstrap(store, settings, () => sample.begin())
  await sample.resume()
  if (first === undefined) return
  reportRelease(release, report)
  reportFirstStart(first, report)
}

async function ownSetup(path: string): Promise<string> {
  try {
    return await readSetup(path)
  } catch (error) {
    throw new Error(`SLUICE_CRS_SETUP: ${(error as Error).message}`, { cause: error })
  }
}

function reportRelease(
  { crsVersion, releasedYear, origin }: CrsRelease,
  report: (line: string) => void,
): void {
  const age = releasedYear === undefined ? '' : ` of ${releasedYear}`
  report(`the rules are OWASP CRS ${crsVersion}${age}, from: ${origin}`)
  if (isOldRelease(releasedYear, Date.now()))
    report('this release is old: `npx sluice crs sync` imports the newest one')
}

/** Prints file names instead of secrets, because the output ends up in logs. */
function reportFirstStart({ email, tokenFile, keyFile }: FirstStart, report: (line: string) => void): void {
  if (tokenFile !== undefined) report(`the administrator's token is in ${tokenFile}`)
  if (keyFile !== undefined) report(`the key of ${email} for X-Auth-Key is in ${keyFile}`)
}

async function openLog(
  settings: Settings,
  store: Store,
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
    location: machineId(settings.data),
    destinations: destinationPolicy(settings),
    ...(settings.spoolFull === 'refuse-requests' ? { pace: { upkeepMs: refusingUpkeepMs } } : {}),
    onOutcome(job, outcome) {
      countDelivery(job.id, outcome)
      logOutcome(logger, job, outcome)
    },
    onReset({ jobId: job, partition, sequence }) {
      countReset(job)
      logger.error(
        { job, partition, sequence },
        'the log of a job was lost or created again: delivery continues at the start of the new log',
      )
    },
    onLoss({ jobId: job, records }) {
      countLoss(job, records)
      logger.error({ job, records }, 'log records were dropped before the job had delivered them')
    },
    onError: (message, error) => logger.error({ err: error }, message),
  })
  exposeJobs(() => delivery.lags())
  const feed = await createChangeFeed(store.changes, error =>
    logger.error({ err: error }, 'changes cannot be read'),
  )
  feed.subscribe(change => {
    if (change.kind === 'everything') logger.warn('the database went back: every Logpush job is read again')
    if (
      change.kind !== 'account' &&
      change.kind !== 'list' &&
      change.kind !== 'crs' &&
      change.kind !== 'acme'
    )
      delivery.refresh()
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
    logger.warn({ job, status, reason: message }, 'delivery failed; retrying')
  else logger.error({ job, status, reason: message }, 'delivery is paused: edit the job to resume')
}
