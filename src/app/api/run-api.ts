import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { SendError } from '../../alerts/index.ts'
import type { Analytics } from '../../analytics/index.ts'
import { type ApiDeps, createApi, readDashboard } from '../../api/index.ts'
import type { RecordReader } from '../../bus/index.ts'
import { coreRuleSetProject, newestUpstreamVersion, openCrs } from '../../crs/index.ts'
import type { CertificatePair } from '../../edge/index.ts'
import { systemClock } from '../../kit/clock.ts'
import { openInstantLogs, pullLogs, reportJob, requestReplay, startJob } from '../../logpush/index.ts'
import type { Listen, Settings } from '../../model/settings/index.ts'
import { dataSourcesOf } from '../../rulesets/index.ts'
import type { Store } from '../../store/index.ts'
import { notificationSend } from '../alerts/run-alerts.ts'
import { certificatesInUse } from '../edge/certificates-in-use.ts'
import { openStaples } from '../edge/ocsp.ts'
import type { EdgeWorkers } from '../edge/workers.ts'
import type { Logger } from '../observe/logger.ts'
import { allMetrics, countFailedSignIn, exposeInstantLogs } from '../observe/metrics.ts'
import { stageEndMs } from '../rollout/next-rollout.ts'
import type { Shutdown } from '../shutdown.ts'
import { destinationPolicy } from '../state/destination-policy.ts'
import type { SingleSockets } from '../supervise/inheritance.ts'
import { retireServer } from './retire-server.ts'
import { listenForTls, type TlsListener } from './tls-listener.ts'

/** The parts of the process that the API uses. */
export interface ApiParts {
  readonly settings: Settings
  readonly store: Store
  /** A separate reader, so that long answers do not delay delivery. */
  readonly reader: RecordReader
  readonly analytics: Analytics
  /** Undefined without the edge role. */
  readonly edges: EdgeWorkers | undefined
  /** Directory of the built page; undefined without one. */
  readonly dashboard: string | undefined
  /** The API's view of the rest of the process. */
  readonly state: ProcessState
  /** As `ApiDeps.details`. */
  readonly details: ApiDeps['details']
  /** For TLS, where no certificate of a file serves. Undefined without an address for TLS. */
  readonly selfSigned: CertificatePair | undefined
  readonly logger: Logger
  /** Bound sockets to listen on; undefined: it makes its own. */
  readonly sockets: Pick<SingleSockets, 'api' | 'apiTls'> | undefined
}

export interface ProcessState {
  ready: boolean
  edgeUrl: string | undefined
}

export interface RunningApi {
  /** `http://127.0.0.1:8787` */
  readonly url: string
  readonly tlsUrl: string | undefined
  /** Leaves new connections to another process, and resolves when the open ones have ended. */
  retire(): Promise<void>
}

/** Starts the API, and registers its end in the shutdown. */
export async function runApi(
  {
    settings,
    store,
    reader,
    analytics,
    edges,
    dashboard,
    state,
    details,
    selfSigned,
    sockets,
    logger,
  }: ApiParts,
  shutdown: Shutdown,
): Promise<RunningApi> {
  const backends = { store, reader }
  const onError = (message: string, error?: unknown) => logger.error({ err: error }, message)
  const instantLogs = openInstantLogs({ store, reader, clock: systemClock, onError })
  exposeInstantLogs(() => instantLogs.stats())
  const send = notificationSend(settings)
  const api = createApi({
    store,
    clock: systemClock,
    logger,
    isReady: () => state.ready,
    edgeRefuses: async () => edges?.refuses(),
    details,
    certificates: zone => certificatesInUse(edges, store, systemClock.nowMs(), zone),
    signInFailed: countFailedSignIn,
    oidc: oidcOf(settings),
    metrics: () => allMetrics(async () => (await edges?.metrics()) ?? []),
    edgeUrl: () => state.edgeUrl,
    newestCrsRelease: () => newestUpstreamVersion(coreRuleSetProject(settings.destinations)),
    crs: openCrs({
      store,
      data: settings.data,
      report: text => logger.info(text),
      reach: settings.destinations,
    }),
    dashboard: dashboard === undefined ? undefined : readDashboard(dashboard),
    startJob: (job, fromMs) => startJob(backends, job, fromMs),
    replayJob: (job, request, audit) => requestReplay(backends, job, request, systemClock.nowMs(), audit),
    reportJob: (job, sinceHour) => reportJob(backends, job, sinceHour),
    instantLogs,
    readLogs: (pull, signal) => pullLogs(reader, pull, signal),
    records: reader,
    analytics,
    traceRequest: edges === undefined ? undefined : request => edges.trace(request),
    trustedProxies: settings.trustedProxies,
    origins: settings.origins,
    originSockets: settings.originSockets,
    notEnforced: settings.notEnforced,
    ...dataSourcesOf(settings),
    destinations: destinationPolicy(settings),
    sendNotification: (notification, webhooks) =>
      send(notification, webhooks).then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof SendError) return error.message
          throw error
        },
      ),
    sendsEmail: settings.smtpUrl !== undefined,
    stages: {
      // Without PostgreSQL, nothing is staged.
      share: settings.databaseUrl === undefined ? 0 : settings.rolloutShare,
      endMs: rollout => stageEndMs(rollout, settings.rolloutPeriod),
    },
  })
  await listen(api, settings.apiListen, sockets?.api)
  const tls = selfSigned && (await startTls(api, settings, selfSigned, sockets?.apiTls, logger, shutdown))
  shutdown.add('api', async () => {
    state.ready = false
    await instantLogs.close()
    await api.close()
  })
  return {
    url: urlOf(settings.apiListen, (api.server.address() as AddressInfo).port),
    tlsUrl: tls && urlOf(settings.apiTlsListen!, tls.port, 'https'),
    retire: () => retireServer(api.server, tls === undefined ? [api.server] : [api.server, tls.server]),
  }
}

function oidcOf(settings: Settings): ApiDeps['oidc'] {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = settings
  if (issuer === undefined || clientId === undefined) return undefined
  return { issuer, clientId, clientSecret, roleClaim: settings.oidcRoleClaim, roles: settings.oidcRoles }
}

async function startTls(
  api: FastifyInstance,
  settings: Settings,
  selfSigned: CertificatePair,
  fd: number | undefined,
  logger: Logger,
  shutdown: Shutdown,
): Promise<TlsListener> {
  const { apiTlsListen, tlsCertificates } = settings
  const listener = await listenForTls(api.server, fd === undefined ? apiTlsListen! : { fd }, {
    paths: tlsCertificates,
    selfSigned,
    staples: openStaples(settings, logger),
    onError: error =>
      logger.error({ err: error }, 'certificates cannot be read; the API keeps the ones that it has'),
  })
  shutdown.add('api over TLS', () => listener.close())
  return listener
}

/** Without Fastify's log line, which would precede the ready line. */
async function listen(api: FastifyInstance, { host, port }: Listen, fd: number | undefined): Promise<void> {
  const { level } = api.log
  api.log.level = 'warn'
  try {
    // node takes the socket, if there is one, and not the address.
    await api.listen({ host, port, ...(fd === undefined ? {} : { fd }) })
  } finally {
    api.log.level = level
  }
}

export function urlOf({ host }: Listen, port: number, scheme = 'http'): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}
