import type { Settings } from '../../model/settings/index.ts'
import { listenersOf } from '../edge/listeners.ts'
import type { Bequest, FromSupervisor, Inheritance, ToSupervisor } from './inheritance.ts'
import { addressesOf } from './sockets.ts'

/** A process that a supervisor has started. */
export interface Supervised {
  readonly inheritance: Inheritance
  /** Tells the supervisor that the process serves. */
  serves(until: {
    /** Another process has taken over. */
    retire(): Promise<void>
    /** The supervisor has ended. */
    drain(): Promise<void>
  }): void
}

/** @throws if the sockets are not those of the settings */
export function supervised(
  { addresses, sockets, workers, number, healthFd }: Bequest,
  settings: Settings,
): Supervised {
  if (JSON.stringify(addresses) !== JSON.stringify(addressesOf(listenersOf(settings))))
    throw new Error(
      'this version reads other addresses from the settings: stop sluice supervise and start it again',
    )
  const tell = (message: ToSupervisor) => process.send!(message, undefined, undefined, () => {})
  const onWorkerLost = () => tell({ kind: 'worker-lost' })
  return {
    inheritance: { edge: { sockets, workers, number, onWorkerLost }, healthFd },
    serves({ retire, drain }) {
      process.on('message', (message: FromSupervisor) => {
        if (message.kind === 'retire') void retire()
      })
      process.once('disconnect', () => void drain())
      if (process.connected) tell({ kind: 'ready' })
      else void drain()
    },
  }
}
