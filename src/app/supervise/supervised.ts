import type { Answered, Call } from '../../analytics/index.ts'
import type { RateCounts } from '../../bus/index.ts'
import type { Settings } from '../../model/settings/index.ts'
import type { Bequest, FromSupervisor, Inheritance, Successor, ToSupervisor } from './inheritance.ts'
import { addressesOf } from './sockets.ts'

/** A process that a supervisor has started. */
export interface Supervised {
  readonly inheritance: Inheritance
  /** Tells the supervisor that the process serves. */
  serves(until: {
    /** No other process does the sole work. Rejects if it cannot begin. */
    takeOver(): Promise<void>
    /** Another process has taken over. */
    retire(successor: Successor): Promise<void>
    /** Receives what the replaced process has given its successor. */
    addRateCounts(counts: RateCounts): void
    /** Only processes with it ask queries. */
    readonly analytics:
      | {
          /** Answers a query of another process. */
          answer(call: Call): Promise<Answered>
          /** Another process has answered a query of this one. */
          settle(answered: Answered): void
        }
      | undefined
    /** The supervisor has ended. */
    drain(): Promise<void>
  }): void
}

/** @throws if the sockets are not those of the settings */
export function supervised(
  { addresses, sockets, single, workers, number, rateSecret: secret, passesQueries }: Bequest,
  settings: Settings,
): Supervised {
  if (JSON.stringify(addresses) !== JSON.stringify(addressesOf(settings)))
    throw new Error(
      'this version reads other addresses from the settings: stop sluice supervise and start it again',
    )
  const tell = (message: ToSupervisor) => process.send!(message, undefined, undefined, () => {})
  const rateSecret = new Uint8Array(Buffer.from(secret, 'hex'))
  const successor: Successor = {
    giveRateCounts: counts => tell({ kind: 'counts', counts }),
    handOver: () => tell({ kind: 'handed-over' }),
  }
  const onWorkerLost = () => tell({ kind: 'broken' })
  return {
    inheritance: {
      edge: { sockets, workers, number, rateSecret, onWorkerLost },
      single,
      askAnalytics: passesQueries && (call => tell({ kind: 'query', call })),
    },
    serves({ takeOver, retire, addRateCounts, analytics, drain }) {
      process.on('message', (message: FromSupervisor) => {
        if (message.kind === 'retire') void retire(successor)
        else if (message.kind === 'counts') addRateCounts(message.counts)
        else if (message.kind === 'query')
          void analytics?.answer(message.call).then(answered => tell({ kind: 'answer', answered }))
        else if (message.kind === 'answer') analytics?.settle(message.answered)
        else takeOver().catch(() => tell({ kind: 'broken' }))
      })
      process.once('disconnect', () => void drain())
      if (process.connected) tell({ kind: 'ready' })
      else void drain()
    },
  }
}
