import type { AgentKind } from '../../agents/index.ts'
import type { Listen, Settings, UnixListen } from '../../model/settings/index.ts'

/** An address of the edge's threads, and its protocol. */
export interface EdgeListener {
  readonly address: Listen | UnixListen
  readonly serves: { readonly tls: boolean; readonly proxyProtocol: boolean } | AgentKind
}

/** The addresses of the roles: those of the edge for plain HTTP first, then those for TLS, then those for other proxies. */
export function listenersOf(settings: Settings): readonly EdgeListener[] {
  const { roles, edgeListen, edgeTlsListen } = settings
  const listeners: EdgeListener[] = []
  if (roles.has('edge')) {
    for (const { proxyProtocol, ...address } of edgeListen)
      listeners.push({ address, serves: { tls: false, proxyProtocol } })
    for (const { proxyProtocol, ...address } of edgeTlsListen)
      listeners.push({ address, serves: { tls: true, proxyProtocol } })
  }
  if (roles.has('inspect'))
    for (const { listen, kind } of inspectAddresses(settings))
      listeners.push({ address: listen, serves: kind })
  return listeners
}

interface InspectAddress {
  readonly kind: AgentKind
  readonly listen: Listen
  readonly setting: string
}

type InspectSettings = Pick<Settings, 'inspectHttpListen' | 'inspectSpoeListen' | 'inspectGrpcListen'>

/** The addresses of the role `inspect`. */
export function inspectAddresses(settings: InspectSettings): readonly InspectAddress[] {
  const { inspectHttpListen, inspectSpoeListen, inspectGrpcListen } = settings
  const all = [
    ['http', inspectHttpListen, '--inspect-http-listen or SLUICE_INSPECT_HTTP_LISTEN'],
    ['spoe', inspectSpoeListen, '--inspect-spoe-listen or SLUICE_INSPECT_SPOE_LISTEN'],
    ['grpc', inspectGrpcListen, '--inspect-grpc-listen or SLUICE_INSPECT_GRPC_LISTEN'],
  ] as const
  return all.flatMap(([kind, listen, setting]) => (listen === 'none' ? [] : [{ kind, listen, setting }]))
}

/** File descriptors by index in `listenersOf` and slot of the worker - 1; empty for unix sockets. */
export type InheritedSockets = readonly (readonly number[])[]

/** Where one worker listens for one of these addresses. */
export type WorkerAddress =
  /** 0 lets the system choose the port. @param shared other workers listen on it too */
  | { readonly kind: 'port'; readonly port: number; readonly shared: boolean }
  /** A bound socket of this process. */
  | { readonly kind: 'inherited'; readonly fd: number }
  | { readonly kind: 'unix-socket' }
  /** Another worker has the address. */
  | { readonly kind: 'elsewhere' }

/**
 * The addresses of one worker. Workers share each TCP address. Systems cannot share a unix socket, so each has one worker.
 * @param slot of the worker, from 1
 * @param ports of the addresses; 0 for unix sockets
 * @param inherited bound sockets of the TCP addresses, by index of the address and slot - 1
 */
export function workerAddresses(
  listeners: readonly EdgeListener[],
  ports: readonly number[],
  slot: number,
  workers: number,
  inherited?: InheritedSockets,
): readonly WorkerAddress[] {
  let sockets = 0
  return listeners.map(({ address }, at) => {
    const fd = inherited?.[at]?.[slot - 1]
    if (fd !== undefined) return { kind: 'inherited', fd }
    if (!('path' in address)) return { kind: 'port', port: ports[at]!, shared: workers > 1 }
    return { kind: sockets++ % workers === slot - 1 ? 'unix-socket' : 'elsewhere' }
  })
}
