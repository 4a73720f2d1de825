import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { type Listener, leadsTo } from '../kit/listeners.ts'
import type { TraceAnswer, TraceRequest } from '../model/request-trace.ts'
import { BackgroundWork } from './background/background.ts'
import { SolvedChallenges } from './challenge/solved-challenges.ts'
import { ClientConnections } from './connection/client-connections.ts'
import type { ConnectionCore } from './connection/core.ts'
import { createListener } from './connection/listener.ts'
import { Tunnels } from './connection/tunnel.ts'
import { defaultEdgeLimits, type EdgeDeps } from './exchange/deps.ts'
import { type EdgeStats, noCounts } from './exchange/stats.ts'
import { BodyBudget } from './message/body-budget.ts'
import { cdnId } from './origin/cdn-loop.ts'
import { Origins } from './origin/origins.ts'
import { RecordAdmission } from './records/admission.ts'
import { type Tracing, traceRequest } from './trace/trace-request.ts'

export interface Edge {
  /**
   * @param shared several processes listen on the same port, and the system distributes connections among them
   * @returns the port, which the system chose when `port` is 0
   */
  listen(host: string, port: number, shared?: boolean): Promise<number>
  /** Accepts no new requests, gives requests in flight `drainMs` to end, then closes every connection. */
  close(): Promise<void>
  stats(): EdgeStats
  /** The reason why requests are refused with 503 because they cannot be recorded; undefined while they are served. */
  refuses(): string | undefined
  /** Evaluates a request as if it were sent now. Nothing is counted or written, and the origin is not called. */
  trace(request: TraceRequest): Promise<TraceAnswer>
}

/** A reverse proxy that runs each zone's plan on every request. Nothing happens before `listen`. */
export function createEdge(deps: EdgeDeps): Edge {
  const limits = { ...defaultEdgeLimits, ...deps.limits }
  const listeners: Listener[] = []
  const policy = { reach: deps.origins ?? 'private', setting: 'SLUICE_ORIGINS' } as const
  const counters = noCounts()
  const background = new BackgroundWork(deps, limits, counters)
  const core: ConnectionCore = {
    deps,
    limits,
    counters,
    origins: new Origins(limits, policy, ({ remoteAddress = '', remotePort = 0 }) =>
      listeners.some(listener => leadsTo(listener, remoteAddress, remotePort)),
    ),
    bodies: { budget: new BodyBudget(limits, deps.trustedProxies), limits },
    admission: new RecordAdmission(deps),
    clients: new ClientConnections(limits.clientConnectionsMax, deps.trustedProxies),
    cdnId: cdnId(deps.clearanceKey),
    solved: new SolvedChallenges(limits.solvedChallengesMax),
    tunnels: new Tunnels(),
    background,
    draining: false,
  }
  const server = createListener(core)
  const tracing: Tracing = { running: 0 }
  return {
    listen: (host, port, shared = false) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen({ host, port, reusePort: shared }, () => {
          server.off('error', reject)
          const address = server.address() as AddressInfo
          listeners.push({ host: address.address, port: address.port })
          resolve(address.port)
        })
      }),
    async close() {
      core.draining = true
      background.stop()
      const closed = new Promise(resolve => server.close(resolve))
      await drain(core)
      core.tunnels.closeAll()
      server.closeAllConnections()
      await closed
      // Requests that were cut off during their rules are recorded after these rules.
      await drain(core)
      await core.origins.close()
    },
    stats: () => ({ ...core.counters, tunnels: core.tunnels.size }),
    refuses: () => deps.records.full,
    trace: request => traceRequest(core, tracing, request),
  }
}

const drainPollMs = 20

/** Waits until only tunnels are in flight, which may last for hours, or until `drainMs` is over. */
async function drain({ counters, tunnels, limits }: ConnectionCore): Promise<void> {
  for (let waitedMs = 0; counters.active > tunnels.size && waitedMs < limits.drainMs; waitedMs += drainPollMs)
    await setTimeout(drainPollMs)
}
