import type { Settings } from '../../model/settings/index.ts'
import type { Bequest, FromSupervisor, Inheritance, ToSupervisor } from './inheritance.ts'
import { addressesOf } from './sockets.ts'

/** A process that a supervisor has started. */
export interface Supervised {
  readonly inheritance: Inheritance
  /** Tells the supervisor that the process serves. */
  serves(until: {
    /** No other process does the sole work. Rejects if it cannot begin. */
    takeOver(): Promise<void>
    /** Another process has taken over. @param handedOver to be called when the sole work has ended */
    retire(handedOver: () => void): Promise<void>
    /** The supervisor has ended. */
    drain(): Promise<void>
  }): void
}

/** @throws if the sockets are not those of the settings */
export function supervised(
  { addresses, sockets, single, workers, number }: Bequest,
  settings: Settings,
): Supervised {
  if (JSON.stringify(addresses) !== JSON.stringify(addressesOf(settings)))
    throw new Error(
      'this version reads other addresses from the settings: stop sluice supervise and start it again',
    )
  const tell = (message: ToSupervisor) => process.send!(message, undefined, undefined, () => {})
  const onWorkerLost = () => tell({ kind: 'broken' })
  return {
    inheritance: { edge: { sockets, workers, number, onWorkerLost }, single },
    serves({ takeOver, retire, drain }) {
      process.on('message', ({ kind }: FromSupervisor) => {
        if (kind === 'retire') void retire(() => tell({ kind: 'handed-over' }))
        else takeOver().catch(() => tell({ kind: 'broken' }))
      })
      process.once('disconnect', () => void drain())
      if (process.connected) tell({ kind: 'ready' })
      else void drain()
    },
  }
}
