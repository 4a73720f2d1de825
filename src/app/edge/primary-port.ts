import type { MessagePort } from 'node:worker_threads'
import type { Change, ChangeFeed } from '../../bus/index.ts'
import type { Snapshots } from '../../crs/index.ts'
import { StoreError } from '../../store/index.ts'
import { type Ask, type EdgeStore, edgeStoreOver, type StoreCall } from './edge-store.ts'

/** The parts of the primary thread that answer its edge workers. */
export interface Primary {
  readonly ask: Ask
  readonly snapshots: Snapshots
  readonly changes: Pick<ChangeFeed, 'subscribe'>
}

/** The primary thread, as a worker sees it. */
export interface EdgeSources {
  readonly store: EdgeStore
  readonly snapshots: Snapshots
  /** Of the process. A change comes before the answers that the database gives after it. */
  readonly changes: Pick<ChangeFeed, 'subscribe'>
}

type PrimaryCall = { readonly number: number } & (
  | StoreCall
  | { readonly snapshot: { readonly version: number; readonly key: string } }
)

type FromPrimary =
  | { readonly change: Change }
  | { readonly number: number; readonly value: unknown }
  | {
      readonly number: number
      readonly failure: { readonly message: string; readonly code: StoreError['code'] | undefined }
    }

/** Answers the calls of `primaryOver` at the other end of the port, until that is closed. */
export function servePrimary(port: MessagePort, { ask, snapshots, changes }: Primary): void {
  const tell = (message: FromPrimary): void => port.postMessage(message)
  const unsubscribe = changes.subscribe(change => tell({ change }))
  port.on('close', unsubscribe)
  port.on('message', async (call: PrimaryCall) => {
    const { number } = call
    try {
      const value =
        'snapshot' in call
          ? await snapshots.snapshotFor(call.snapshot.version, call.snapshot.key)
          : await ask(call)
      tell({ number, value })
    } catch (error) {
      const code = error instanceof StoreError ? error.code : undefined
      tell({ number, failure: { message: (error as Error).message, code } })
    }
  })
}

/** The primary thread at the other end of the port. Subscribe in this turn, so that no change is missed. */
export function primaryOver(port: MessagePort): EdgeSources {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const subscribers = new Set<(change: Change) => void>()
  let last = 0
  const ask = (call: StoreCall | Pick<Extract<PrimaryCall, { snapshot: unknown }>, 'snapshot'>) => {
    const answer = Promise.withResolvers<unknown>()
    waiting.set(++last, answer)
    port.postMessage({ ...call, number: last } satisfies PrimaryCall)
    return answer.promise
  }
  port.on('message', (message: FromPrimary) => {
    if ('change' in message) {
      for (const subscriber of subscribers) subscriber(message.change)
      return
    }
    const answer = waiting.get(message.number)
    waiting.delete(message.number)
    if ('failure' in message) answer?.reject(errorOf(message.failure))
    else answer?.resolve(message.value)
  })
  return {
    store: edgeStoreOver(ask),
    snapshots: {
      // Shared, not copied.
      snapshotFor: (version, key) =>
        ask({ snapshot: { version, key } }) as Promise<SharedArrayBuffer | undefined>,
    },
    changes: {
      subscribe(onChange) {
        // One function may subscribe twice, so each subscription is a separate object.
        const subscriber = (change: Change): void => onChange(change)
        subscribers.add(subscriber)
        return () => {
          subscribers.delete(subscriber)
        }
      },
    },
  }
}

function errorOf({ message, code }: Extract<FromPrimary, { failure: unknown }>['failure']): Error {
  return code === undefined ? new Error(message) : new StoreError(code, message)
}
