import type { Server as HttpServer } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { retireLimits } from '../limits.ts'

/**
 * Leaves new connections to another process that listens on the same sockets. Each open connection ends with its next
 * answer. Resolves when none is open, or after `apiRetireMs`.
 * @param listeners that pass connections to `http`: itself, and one for TLS
 */
export async function retireServer(http: HttpServer, listeners: readonly NetServer[]): Promise<void> {
  http.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
  // The method of an HTTP server also closes idle connections, whose next request may be on its way.
  const ended = Promise.all(
    listeners.map(listener => new Promise(resolve => NetServer.prototype.close.call(listener, resolve))),
  )
  let closing: NodeJS.Timeout | undefined
  const idle = setTimeout(() => {
    closing = setInterval(() => http.closeIdleConnections(), idlePollMs)
  }, retireLimits.apiIdleMs)
  await Promise.race([ended, sleep(retireLimits.apiRetireMs, undefined, { ref: false })])
  clearTimeout(idle)
  clearInterval(closing)
}

const idlePollMs = 100
