import type { Settings } from '../../model/settings/index.ts'

/** An address of the edge, and its protocols. */
export interface EdgeListener {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly proxyProtocol: boolean
}

/** The plain address first, then those for TLS. */
export function listenersOf({ edgeListen, edgeTlsListen }: Settings): readonly EdgeListener[] {
  return [
    { ...edgeListen, tls: false, proxyProtocol: false },
    ...edgeTlsListen.map(listen => ({ ...listen, tls: true })),
  ]
}
