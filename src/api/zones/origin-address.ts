import { isIP } from 'node:net'
import { type Listener, leadsTo } from '../../kit/listeners.ts'
import { addressProblem } from '../../outgoing/index.ts'
import type { ApiDeps } from '../deps.ts'

/** Where the servers of zones may be. */
export interface OriginBounds extends Pick<ApiDeps, 'origins' | 'originSockets'> {
  /** Known addresses of the edge. */
  readonly edge: readonly Listener[]
}

export type OriginDeps = Pick<ApiDeps, 'edgeUrl' | 'origins' | 'originSockets'>

export function originBounds({ edgeUrl, origins, originSockets }: OriginDeps): OriginBounds {
  return { edge: listenersAt(edgeUrl()), origins, originSockets }
}

/**
 * Why the edge would not connect to this server, in words; undefined when it would. The addresses of names are known only
 * when the edge connects.
 * @param host an address or a name
 * @param ports that the edge may use
 */
export function originFault(
  host: string,
  ports: readonly number[],
  { edge, origins }: OriginBounds,
): string | undefined {
  if (edge.some(listener => ports.some(port => leadsTo(listener, host, port))))
    return 'it is the address of the edge itself'
  const ip = host.replace(/^\[|\]$/g, '')
  if (isIP(ip) === 0) return undefined
  return addressProblem('it', ip, { reach: origins, setting: 'SLUICE_ORIGINS' })?.message
}

/** @param url `http://127.0.0.1:8080` */
function listenersAt(url: string | undefined): readonly Listener[] {
  if (url === undefined) return []
  const { hostname, port, protocol } = new URL(url)
  return [{ host: hostname, port: Number(port || (protocol === 'https:' ? 443 : 80)) }]
}
