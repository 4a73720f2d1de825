import type { AgentKind } from '../../agents/index.ts'
import type { Listen, Settings } from '../../model/settings/index.ts'

/** An address of the edge's threads, and its protocol. */
export type EdgeListener = Listen & {
  readonly serves: { readonly tls: boolean; readonly proxyProtocol: boolean } | AgentKind
}

/** The addresses of the roles: the plain one of the edge first, then those for TLS, then those for other proxies. */
export function listenersOf(settings: Settings): readonly EdgeListener[] {
  const { roles, edgeListen, edgeTlsListen } = settings
  const listeners: EdgeListener[] = []
  if (roles.has('edge')) {
    listeners.push({ ...edgeListen, serves: { tls: false, proxyProtocol: false } })
    for (const { host, port, proxyProtocol } of edgeTlsListen)
      listeners.push({ host, port, serves: { tls: true, proxyProtocol } })
  }
  if (roles.has('inspect'))
    for (const { listen, kind } of inspectAddresses(settings)) listeners.push({ ...listen, serves: kind })
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
