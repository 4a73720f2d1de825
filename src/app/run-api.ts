import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Analytics } from '../analytics/index.ts'
import { createApi, readDashboard } from '../api/index.ts'
import type { RecordReader } from '../bus/index.ts'
import { newestUpstreamVersion, openCrs } from '../crs/index.ts'
import { systemClock } from '../kit/clock.ts'
import { openInstantLogs, pullLogs, reportJob, requestReplay, startJob } from '../logpush/index.ts'
import type { Listen, Settings } from '../model/settings.ts'
import type { Store } from '../store/index.ts'
import type { EdgeWorkers } from './edge-workers.ts'
import type { Logger } from './logger.ts'
import { allMetrics, exposeInstantLogs } from './metrics.ts'
import type { Shutdown } from './shutdown.ts'

/** What the API is made from. */
export interface ApiParts {
  readonly settings: Settings
  readonly store: Store
  /** Of its own, so that long answers are not in the way of delivery. */
  readonly reader: RecordReader
  readonly analytics: Analytics
  /** Undefined where the process has no edge. */
  readonly edges: EdgeWorkers | undefined
  /** Directory of the built page; undefined when there is none. */
  readonly dashboard: string | undefined
  /** What the API says of the rest of the process. */
  readonly state: ProcessState
  readonly logger: Logger
}

export interface ProcessState {
  ready: boolean
  edgeUrl: string | undefined
}

/**
 * Starts the API, and ends it with the rest.
 * @returns its address, such as `http://127.0.0.1:8787`
 */
export async function runApi(
  { settings, store, reader, analytics, edges, dashboard, state, logger }: ApiParts,
  shutdown: Shutdown,
): Promise<string> {
  const place = { store, reader }
  const onError = (message: string, error?: unknown) => logger.error({ err: error }, message)
  const instantLogs = openInstantLogs({ store, reader, clock: systemClock, onError })
  exposeInstantLogs(() => instantLogs.stats())
  const api = createApi({
    store,
    clock: systemClock,
    logger,
    isReady: () => state.ready,
    metrics: () => allMetrics(async () => (await edges?.metrics()) ?? []),
    edgeUrl: () => state.edgeUrl,
    newestCrsRelease: () => newestUpstreamVersion(),
    crs: openCrs({ store, data: settings.data, report: text => logger.info(text) }),
    dashboard: dashboard === undefined ? undefined : readDashboard(dashboard),
    startJob: (job, fromMs) => startJob(place, job, fromMs),
    replayJob: (job, request, audit) => requestReplay(place, job, request, systemClock.nowMs(), audit),
    reportJob: (job, sinceHour) => reportJob(place, job, sinceHour),
    instantLogs,
    readLogs: (pull, signal) => pullLogs(reader, pull, signal),
    records: reader,
    analytics,
    traceRequest: edges === undefined ? undefined : request => edges.trace(request),
    trustedProxies: settings.trustedProxies,
    destinations: settings.destinations,
  })
  await listen(api, settings.apiListen)
  shutdown.add('api', async () => {
    state.ready = false
    await instantLogs.close()
    await api.close()
  })
  return urlOf(settings.apiListen, (api.server.address() as AddressInfo).port)
}

/** Without Fastify's line in the log, which would come before everything answers: the ready line says where it listens. */
async function listen(api: FastifyInstance, { host, port }: Listen): Promise<void> {
  const { level } = api.log
  api.log.level = 'warn'
  try {
    await api.listen({ host, port })
  } finally {
    api.log.level = level
  }
}

export function urlOf({ host }: Listen, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
