import { createServer } from 'node:net'
import type { Agent, ReadyDeps } from '../deps.ts'
import { SpopConnection } from './connection.ts'
import { Reports } from './reports.ts'

/** An agent of HAProxy's Stream Processing Offload Engine, in version 2.0 of its protocol (SPOP). */
export function createSpoeAgent(deps: ReadyDeps): Agent {
  const reports = new Reports(deps)
  const open = new Set<SpopConnection>()
  const server = createServer(socket => {
    if (!deps.admits(socket.remoteAddress)) {
      socket.destroy()
      return
    }
    const connection = new SpopConnection(socket, deps, reports)
    open.add(connection)
    socket.once('close', () => open.delete(connection))
  })
  server.once('close', () => reports.close())
  const drain = () => {
    for (const connection of open) connection.drain()
  }
  // SPOP cannot announce an end: a NOTIFY frame that crosses it gets no answer, also when this process is replaced.
  return { server, drain, retire: drain }
}
