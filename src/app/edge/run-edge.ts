import { createAgents } from '../../agents/index.ts'
import { LocalRateCounters } from '../../bus/index.ts'
import { createPrograms } from '../../crs/index.ts'
import {
  type CertificatePair,
  createEdge,
  type Edge,
  type GeoDatabases,
  geoLookup,
} from '../../edge/index.ts'
import { assert } from '../../kit/assert.ts'
import { CidrSet, parseCidr } from '../../kit/cidr.ts'
import { systemClock } from '../../kit/clock.ts'
import type { CertificateReport } from '../../model/certificate.ts'
import type { TraceAnswer, TraceRequest } from '../../model/request-trace.ts'
import type { Settings } from '../../model/settings/index.ts'
import { explainInSlices } from '../../waf/index.ts'
import { exposeMeasures } from '../observe/edge-measures.ts'
import { createLogger, type Logger } from '../observe/logger.ts'
import {
  exposeAgents,
  exposeCertificates,
  exposeEdge,
  exposeRateCounters,
  exposeSamples,
  exposeShadows,
  exposeSpans,
} from '../observe/metrics.ts'
import { exposeThread } from '../observe/process-metrics.ts'
import { recordFaults } from '../observe/record-faults.ts'
import { PlanTable } from '../plans/plan-table.ts'
import { Shutdown } from '../shutdown.ts'
import { clearanceKey } from '../state/keys.ts'
import { openRecordLog } from '../state/record-log.ts'
import { openAcmeEdge } from './acme-edge.ts'
import { openAuditLog } from './audit-log.ts'
import { openCertificates } from './edge-certificates.ts'
import { LeakedPasswords } from './leaked-passwords.ts'
import { type EdgeListener, listenersOf, type WorkerAddress } from './listeners.ts'
import { openStaples } from './ocsp.ts'
import type { EdgeSources } from './primary-port.ts'
import { watchRecordJobs } from './record-jobs.ts'
import { areTracesOn } from './spans/environment.ts'
import { openSpans } from './spans/open-spans.ts'
import type { SpanEvents } from './spans/sdk.ts'
import { listenAtPath } from './unix-socket.ts'
import { WarmUp } from './warm-up.ts'

export interface PreparedEdge {
  /**
   * @param addresses for the addresses of `listenersOf`
   * @returns the ports of these addresses; 0 where there is none
   */
  listen(addresses: readonly WorkerAddress[]): Promise<readonly number[]>
  /** Names all origins that health checks found down (`originKey`). */
  setDown(keys: readonly string[]): void
  /** As `Edge.refuses`. */
  refuses(): string | undefined
  /** As `CertificateTable.served`. */
  certificates(zoneName: string | undefined): readonly CertificateReport[]
  /** As `Edge.trace`; errors are logged. */
  trace(request: TraceRequest): Promise<TraceAnswer>
  /** As `Edge.retire`. Answers to other proxies end before. */
  retire(): Promise<void>
  /** Drains, also before it has listened. */
  stop(): Promise<void>
}

/** The inputs of an edge, which threads receive. */
export interface EdgeInput {
  readonly settings: Settings
  /** Name of its partition of the record log; unique among running edges. */
  readonly partition: string
  /** Read once, shared by the threads. */
  readonly geo: GeoDatabases
  /** Number of threads that share the limits of the settings. */
  readonly workers: number
  /** For names without a certificate. */
  readonly selfSigned: CertificatePair
  /** Counts of rate limits, of all threads together. */
  readonly rateMemory: SharedArrayBuffer
}

/**
 * Prepares one edge so that it only has to listen: plans from the database, connections to origins, the record log.
 * @param sources of documents, programs and changes
 */
export async function prepareEdge(
  { settings, partition, geo, workers, selfSigned, rateMemory }: EdgeInput,
  { store, snapshots, changes }: EdgeSources,
): Promise<PreparedEdge> {
  const logger = createLogger(partition)
  const shutdown = new Shutdown(logger)
  const programs = createPrograms(store, snapshots)
  const warmUp = new WarmUp(() => performance.now())
  const plans = new PlanTable({
    store,
    programFor: programs.programFor,
    defaultZone: settings.defaultZone,
    prepare: plan =>
      warmUp.prepare(plan).catch(error => logger.error({ err: error }, 'a program could not be warmed up')),
    onError: (message, error) => logger.error({ err: error }, message),
  })
  shutdown.add('plans', () => plans.close())
  // Before the plans are read, so that no change is missed.
  const unsubscribe = changes.subscribe(change => {
    if (change.kind === 'everything')
      logger.warn('the database was restored to an earlier state: every plan is rebuilt')
    void plans.apply(change)
  })
  shutdown.add('changes', unsubscribe)
  const [log] = await Promise.all([openRecordLog(settings, recordFaults(logger), store), plans.load()])
  const isWanted =
    settings.spoolFull === 'drop-oldest'
      ? undefined
      : await watchRecordJobs(store, changes, (message, error) => logger.error({ err: error }, message))
  const records = await log.writer(partition, isWanted)
  shutdown.add('records', async () => {
    await records.flush()
    await log.close()
  })
  const auditLog =
    settings.auditLog === undefined
      ? undefined
      : await openAuditLog(
          settings.auditLog,
          settings.auditLogMode,
          settings.auditLogFormat,
          (message, error) => logger.error({ err: error }, message),
        )
  const rateCounters = new LocalRateCounters(rateMemory)
  const secret = await clearanceKey(store)
  const certificates = await openCertificates({
    paths: settings.tlsCertificates,
    selfSigned,
    store: store.certificates,
    plans,
    changes,
    secret,
    staples: openStaples(settings, logger),
    onError: error =>
      logger.error({ err: error }, 'certificates cannot be read; the edge keeps the ones that it has'),
  })
  shutdown.add('certificates', () => certificates.close())
  const trustedProxies = new CidrSet(settings.trustedProxies.map(block => parseCidr(block)!))
  const acme =
    settings.acmeDirectory === undefined
      ? undefined
      : await openAcmeEdge({
          store,
          changes,
          plans,
          clock: systemClock,
          onError: (message, error) => logger.error({ err: error }, message),
        })
  shutdown.add('challenges of ACME', () => acme?.close())
  let down: ReadonlySet<string> = new Set()
  const list = settings.leakedPasswords
  const leakedPasswords = list === undefined ? undefined : await LeakedPasswords.open(list)
  shutdown.add('list of leaked passwords', () => leakedPasswords?.close())
  const spans = areTracesOn(settings.traces, process.env)
    ? await openSpans(partition, spanEvents(logger))
    : undefined
  shutdown.add('spans', () => spans?.close())
  const edge = createEdge({
    plans,
    spans: spans?.source,
    leakedPasswords,
    records,
    ...(auditLog === undefined ? {} : { auditLog }),
    clock: systemClock,
    clearanceKey: secret,
    trustedProxies,
    origins: settings.origins,
    originHealth: { isDown: key => down.has(key) },
    originSockets: settings.originSockets,
    geo: geoLookup(geo),
    rateCounters,
    onIncomplete: settings.onError,
    tls: { certificates: certificates.table, ja4: settings.tlsJa4, onUncovered: acme?.onUncovered },
    challenges: acme?.challenges,
    limits: {
      originConnectionsMax: Math.ceil(settings.originConnections / workers),
      clientConnectionsMax: Math.ceil(settings.clientConnections / workers),
      requestsMax: settings.requestsInFlight,
      bodyBytesMax: Math.ceil(settings.bodyBytes / workers),
    },
    explain: explainInSlices,
    logger,
  })
  const agents = createAgents({
    inspect: request => edge.inspect(request),
    waiting: rayId => edge.waiting(rayId),
    trustedProxies,
    logger,
  })
  exposeEdge(() => edge.stats())
  exposeAgents(agents.counts)
  exposeMeasures(edge, partition)
  exposeThread(partition)
  exposeCertificates(() => certificates.table.served())
  exposeShadows(() => edge.stats())
  exposeSamples(() => edge.stats())
  exposeRateCounters(rateCounters)
  if (spans !== undefined) exposeSpans(spans.stats)
  return {
    async listen(addresses) {
      shutdown.add('edge', () => edge.close())
      const listening: number[] = []
      shutdown.add('agents', () => agents.close())
      for (const [at, { address, serves }] of listenersOf(settings).entries()) {
        const where = addresses[at]!
        if (where.kind === 'elsewhere') listening.push(0)
        else if (where.kind === 'unix-socket') {
          await listenAtSocket(edge, address, serves, shutdown)
          listening.push(0)
        } else if (where.kind === 'inherited') {
          const { fd } = where
          listening.push(
            typeof serves === 'string'
              ? await agents.listen(serves, { fd })
              : await edge.listen({ fd }, serves),
          )
        } else {
          const { port, shared } = where
          assert('host' in address, 'an address with a port has a host')
          const tcp = { host: address.host, port }
          listening.push(
            typeof serves === 'string'
              ? await agents.listen(serves, { ...tcp, reusePort: shared })
              : await edge.listen(tcp, serves, shared),
          )
        }
      }
      return listening
    },
    setDown(keys) {
      down = new Set(keys)
    },
    refuses: () => edge.refuses(),
    certificates: zoneName => certificates.table.served(zoneName),
    async trace(request) {
      try {
        return await edge.trace(request)
      } catch (error) {
        logger.error({ err: error }, 'a request could not be traced')
        throw error
      }
    },
    async retire() {
      await Promise.all([edge.retire(), agents.retire()])
    },
    stop: () => shutdown.run(),
  }
}

function spanEvents(logger: Logger): SpanEvents {
  return {
    onChange(failure) {
      if (failure === undefined) logger.info('the collector takes spans again')
      else logger.error({ reason: failure }, 'the collector does not take spans; they are dropped')
    },
    onProblem: text => logger.warn({ reason: text }, 'OpenTelemetry reports a problem with spans'),
  }
}

async function listenAtSocket(
  edge: Edge,
  address: EdgeListener['address'],
  serves: EdgeListener['serves'],
  shutdown: Shutdown,
): Promise<void> {
  assert('path' in address && typeof serves !== 'string', 'only the edge has unix sockets')
  const remove = await listenAtPath(address, path => edge.listen({ path }, serves))
  shutdown.add(address.path, remove)
}
