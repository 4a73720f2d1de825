import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { noBackground } from './background.ts'
import { SolvedChallenges } from './challenge/solved-challenges.ts'
import type { EdgeCore } from './core.ts'
import { defaultEdgeLimits, type Edge, type EdgeDeps, noCounts } from './deps.ts'
import { createListener } from './listener.ts'
import { Origins } from './origins.ts'
import { type Tracing, traceRequest } from './trace/trace-request.ts'
import { Tunnels } from './tunnel.ts'

/** A reverse proxy that runs each zone's plan on every request. Nothing happens before `listen`. */
export function createEdge(deps: EdgeDeps): Edge {
  const limits = { ...defaultEdgeLimits, ...deps.limits }
  const core: EdgeCore = {
    deps,
    limits,
    counters: noCounts(),
    origins: new Origins(limits),
    solved: new SolvedChallenges(limits.solvedChallengesMax),
    tunnels: new Tunnels(),
    background: noBackground(),
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
          resolve((server.address() as AddressInfo).port)
        })
      }),
    async close() {
      core.draining = true
      const closed = new Promise(resolve => server.close(resolve))
      await drain(core)
      core.tunnels.closeAll()
      server.closeAllConnections()
      await closed
      // Requests that were cut off while their rules ran are recorded when these are through.
      await drain(core)
      await core.origins.close()
    },
    stats: () => ({ ...core.counters, tunnels: core.tunnels.size }),
    trace: request => traceRequest(core, tracing, request),
  }
}

const drainPollMs = 20

/** Until nothing but tunnels is in flight, which would go on for hours, or until the time for it is over. */
async function drain({ counters, tunnels, limits }: EdgeCore): Promise<void> {
  for (let waitedMs = 0; counters.active > tunnels.size && waitedMs < limits.drainMs; waitedMs += drainPollMs)
    await setTimeout(drainPollMs)
}
