import type { Server } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { type Listener, leadsTo } from '../kit/listeners.ts'
import type { TraceAnswer, TraceRequest } from '../model/request-trace.ts'
import { defaultZoneSettings } from '../model/zone-settings.ts'
import { BackgroundWork } from './background/background.ts'
import { Acceptor, type ListenerKind } from './connection/acceptor.ts'
import { ClientConnections } from './connection/client-connections.ts'
import type { ConnectionCore } from './connection/core.ts'
import { Tunnels } from './connection/tunnel.ts'
import { defaultEdgeLimits, type EdgeDeps } from './exchange/deps.ts'
import { type EdgeStats, noCounts } from './exchange/stats.ts'
import { type EdgeMeasures, noMeasures } from './measures/measures.ts'
import { BodyBudget } from './message/body-budget.ts'
import { cdnId } from './origin/cdn-loop.ts'
import { Origins } from './origin/origins.ts'
import { RequestsInFlight } from './pipeline/in-flight.ts'
import { Inspections } from './proxied/inspections.ts'
import type { ProxiedExchange, ProxiedRequest } from './proxied/proxied-request.ts'
import { RecordAdmission } from './records/admission.ts'
import { ServerChoice } from './servers/choice.ts'
import { Sessions } from './servers/sessions.ts'
import { TlsHandshakes } from './tls/handshakes.ts'
import { type TlsPolicy, tlsPolicy } from './tls/policy.ts'
import { type Tracing, traceRequest } from './trace/trace-request.ts'

/** A TCP address, the path of a unix socket, or a bound TCP socket that this process has inherited. */
export type ListenAddress =
  | { readonly host: string; readonly port: number }
  | { readonly path: string }
  | { readonly fd: number }

export interface Edge {
  /**
   * @param kind plain HTTP by default; TLS needs `EdgeDeps.tls`
   * @param shared several processes listen on the same port, and the system distributes connections among them
   * @returns the port, which the system chose when `port` is 0; 0 for a unix socket
   */
  listen(address: ListenAddress, kind?: ListenerKind, shared?: boolean): Promise<number>
  /**
   * Leaves new connections to another process that listens on the same sockets. Each open connection ends with its next
   * response. Resolves when all have ended, or after `retireMs`; `close` follows.
   */
  retire(): Promise<void>
  /** Accepts no new requests, gives requests in flight `drainMs` to end, then closes every connection. */
  close(): Promise<void>
  stats(): EdgeStats
  load(): EdgeLoad
  /** Live: they change with every request. */
  readonly measures: EdgeMeasures
  /** The reason why requests are refused with 503 because they cannot be recorded; undefined while they are served. */
  refuses(): string | undefined
  /** Evaluates a request that another proxy serves. */
  inspect(request: ProxiedRequest): ProxiedExchange
  /** A request of `inspect` that passed and whose response is not reported yet. */
  waiting(rayId: string): ProxiedExchange | undefined
  /** Evaluates a request as if it were sent now. Nothing is counted or written, and the origin is not called. */
  trace(request: TraceRequest): Promise<TraceAnswer>
}

/** How much of its limits an edge uses now; `EdgeStats.active` is the number of requests. */
export interface EdgeLoad {
  /** Requests in flight that it accepts. */
  readonly activeMax: number
  /** Request bodies in memory. */
  readonly bodyBytes: number
  readonly bodyBytesMax: number
  /** Requests that wait for a connection to their origin. */
  readonly originWaiting: number
}

/** A reverse proxy that runs each zone's plan on every request. Nothing happens before `listen`. */
export function createEdge(deps: EdgeDeps): Edge {
  const limits = { ...defaultEdgeLimits, ...deps.limits }
  const listeners: Listener[] = []
  const policy = { reach: deps.origins ?? 'private', setting: 'SLUICE_ORIGINS' } as const
  const counters = noCounts()
  const measures = noMeasures()
  const background = new BackgroundWork(deps, limits, counters)
  const core: ConnectionCore = {
    deps,
    limits,
    counters,
    measures,
    origins: new Origins(limits, {
      policy,
      sockets: deps.originSockets ?? [],
      isOwn: ({ remoteAddress = '', remotePort = 0 }) =>
        listeners.some(listener => leadsTo(listener, remoteAddress, remotePort)),
    }),
    servers: new ServerChoice(limits, () => deps.clock.nowMs(), deps.originHealth),
    sessions: new Sessions(deps.clearanceKey, () => deps.clock.nowMs()),
    bodies: { budget: new BodyBudget(limits, deps.trustedProxies), limits },
    admission: new RecordAdmission(deps),
    inFlight: new RequestsInFlight(limits.requestsMax),
    clients: new ClientConnections(limits.clientConnectionsMax, deps.trustedProxies),
    cdnId: cdnId(deps.clearanceKey),
    tunnels: new Tunnels(),
    background,
    draining: false,
  }
  const tls =
    deps.tls === undefined
      ? undefined
      : new TlsHandshakes({
          ...deps.tls,
          challenges: deps.challenges,
          limits,
          policy: tlsPolicies(deps),
          onFailure: failure => counters.handshakeFailures[failure]++,
        })
  const acceptor = new Acceptor(core, tls)
  const servers: Server[] = []
  const inspections = new Inspections(core)
  const tracing: Tracing = { running: 0 }
  return {
    listen: (address, kind = plain, shared = false) =>
      new Promise((resolve, reject) => {
        const server = acceptor.createServer(kind, 'path' in address)
        servers.push(server)
        server.once('error', reject)
        server.listen('host' in address ? { ...address, reusePort: shared } : address, () => {
          server.off('error', reject)
          const bound = server.address()
          if (bound === null || typeof bound === 'string') {
            resolve(0)
            return
          }
          listeners.push({ host: bound.address, port: bound.port })
          resolve(bound.port)
        })
      }),
    async retire() {
      core.draining = true
      for (const server of servers) server.close()
      await acceptor.retire()
    },
    async close() {
      core.draining = true
      inspections.close()
      background.stop()
      const closed = Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))))
      acceptor.drain()
      await drain(core)
      core.tunnels.closeAll()
      acceptor.closeAll()
      await closed
      // Requests that were cut off during their rules are recorded after these rules.
      await drain(core)
      await core.origins.close()
    },
    stats: () => ({ ...core.counters, tunnels: core.tunnels.size }),
    measures,
    load: () => ({
      activeMax: limits.requestsMax,
      bodyBytes: core.bodies.budget.bytes,
      bodyBytesMax: limits.bodyBytesMax,
      originWaiting: core.origins.slots.waiting,
    }),
    inspect: request => inspections.begin(request),
    waiting: rayId => inspections.waiting(rayId),
    refuses: () => deps.records.full,
    trace: request => traceRequest(core, tracing, request),
  }
}

const plain: ListenerKind = { tls: false, proxyProtocol: false }

/** The zone of the server name decides. Names of no zone have the defaults. */
function tlsPolicies({ plans }: EdgeDeps): (serverName: string | undefined) => TlsPolicy {
  return serverName => {
    const plan = serverName === undefined ? undefined : plans.find(serverName)
    return tlsPolicy(plan?.settings ?? defaultZoneSettings)
  }
}

const drainPollMs = 20

/** Waits until only tunnels are in flight, which may last for hours, or until `drainMs` is over. */
async function drain({ counters, tunnels, limits }: ConnectionCore): Promise<void> {
  for (let waitedMs = 0; counters.active > tunnels.size && waitedMs < limits.drainMs; waitedMs += drainPollMs)
    await setTimeout(drainPollMs)
}
