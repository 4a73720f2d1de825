import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { buildConnector } from 'undici'
import { type AddressPolicy, guardedConnector, socketProblem } from '../../outgoing/index.ts'
import type { OriginLink } from '../exchange/answer.ts'

/** The connection leads back to this edge and must not be used. */
export class OwnListenerError extends Error {
  constructor() {
    super('the origin is this edge itself')
    this.name = 'OwnListenerError'
  }
}

/** The connections that an edge may open. */
export interface ConnectionGuard {
  /** The networks in which origins may be. */
  readonly policy: AddressPolicy
  /** Paths of unix sockets that origins may be, and directories of them. */
  readonly sockets: readonly string[]
  /** Recognises connections that lead back to a listener of this edge. */
  isOwn(socket: Socket): boolean
}

/** @param timeoutMs for the address lookup, TCP and TLS together */
export type Connect = (
  wanted: buildConnector.Options,
  timeoutMs: number,
  done: buildConnector.Callback,
) => void

/** Opens the connections to one origin: at `socketPath` if that is set, else at the host that is asked for. TLS sessions resume among them. */
export function originConnector(
  guard: ConnectionGuard,
  options: buildConnector.BuildOptions,
  onOpened: (link: OriginLink) => void,
): Connect {
  const connectors = new Map<number, buildConnector.connector>()
  const within = (timeoutMs: number) => {
    let connector = connectors.get(timeoutMs)
    connector ??= connectorFor(guard, { ...options, timeout: timeoutMs })
    connectors.set(timeoutMs, connector)
    return connector
  }
  return (wanted, timeoutMs, done) =>
    within(timeoutMs)(wanted, (...connected) => {
      const [error, socket] = connected
      if (error === null && guard.isOwn(socket)) {
        socket.destroy()
        done(new OwnListenerError(), null)
        return
      }
      if (error === null) onOpened(linkOf(socket))
      done(...connected)
    })
}

function connectorFor(
  guard: ConnectionGuard,
  options: buildConnector.BuildOptions,
): buildConnector.connector {
  const { socketPath } = options
  if (typeof socketPath !== 'string') return guardedConnector(guard.policy, options)
  const problem = socketProblem(socketPath, guard.sockets)
  return problem === undefined ? buildConnector(options) : (_, done) => setImmediate(done, problem, null)
}

function linkOf(socket: Socket): OriginLink {
  return {
    localIp: socket.localAddress ?? '',
    remoteIp: socket.remoteAddress ?? '',
    tls: socket instanceof TLSSocket ? (socket.getProtocol() ?? 'unknown') : 'none',
  }
}
