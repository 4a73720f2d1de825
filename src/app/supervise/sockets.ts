import { lookup } from 'node:dns/promises'
import { BoundSocket } from 'node:net'
import type { Listen, Settings } from '../../model/settings/index.ts'
import { type EdgeListener, listenersOf } from '../edge/listeners.ts'
import { canSharePorts } from '../edge/shared-port.ts'
import { type Bequest, firstFd, type SingleSockets } from './inheritance.ts'

/**
 * Sockets that are bound and not accepted from. Processes that inherit them listen on them, and connections wait in
 * their queues while one process takes over from another.
 */
export interface HeldSockets {
  readonly bequest: Omit<Bequest, 'number' | 'rateSecret'>
  /** For the inheriting process, in the order of its file descriptors. */
  readonly fds: readonly number[]
  close(): void
}

/** Binds a socket for each worker at each TCP address of the edge, and one for each other address. */
export async function holdSockets(settings: Settings): Promise<HeldSockets> {
  const held: BoundSocket[] = []
  const hold = async (listen: Listen, reusePort: boolean, port = listen.port): Promise<number> => {
    const { address } = await lookup(listen.host)
    held.push(new BoundSocket({ host: address, port, reusePort }))
    return firstFd + held.length - 1
  }
  const listeners = listenersOf(settings)
  const workers = await workersFor(settings, listeners)
  const sockets: number[][] = []
  for (const { address } of listeners) {
    const own: number[] = []
    sockets.push(own)
    if ('path' in address) continue
    for (let slot = 0; slot < workers; slot++) {
      // With port 0, the first socket chooses the port.
      const first = slot === 0 ? undefined : held[own[0]! - firstFd]!.address()
      own.push(await hold(address, workers > 1, typeof first === 'object' ? first.port : undefined))
    }
  }
  const single: { -readonly [Use in keyof SingleSockets]: number } = {}
  for (const [use, listen] of singleAddresses(settings)) single[use] = await hold(listen, false)
  return {
    bequest: { addresses: addressesOf(settings), sockets, single, workers },
    fds: held.map(socket => socket.fd()),
    close() {
      for (const socket of held) socket.close()
    },
  }
}

/** Tells the addresses of two versions apart. */
export function addressesOf(settings: Settings): readonly string[] {
  return [...listenersOf(settings), ...singleAddresses(settings)].map(address => JSON.stringify(address))
}

function singleAddresses({
  roles,
  apiListen,
  apiTlsListen,
  healthListen,
}: Settings): readonly (readonly [use: keyof SingleSockets, listen: Listen])[] {
  const control = roles.has('control')
  const all = [
    ['api', control ? apiListen : undefined],
    ['apiTls', control ? apiTlsListen : undefined],
    ['health', healthListen],
  ] as const
  return all.flatMap(([use, listen]) => (listen === undefined ? [] : [[use, listen] as const]))
}

async function workersFor({ workers }: Settings, listeners: readonly EdgeListener[]): Promise<number> {
  const tcp = listeners.flatMap(({ address }) => ('path' in address ? [] : [address]))
  return tcp[0] === undefined || (await canSharePorts(tcp[0])) ? workers : 1
}
