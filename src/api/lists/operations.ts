import { type Clock, timestampOf } from '../../kit/clock.ts'
import { newId } from '../../kit/ids.ts'
import type { List, ListOperation } from '../../model/resource.ts'
import { StoreError } from '../../store/port/error.ts'
import type { Store } from '../../store/port.ts'
import type { ApiDeps } from '../deps.ts'
import { refusal } from '../http/errors.ts'
import { KeyedQueue } from '../http/keyed-queue.ts'
import { listRequestLimits } from './limits.ts'

/** Applies a change of items. @param now time of the change */
export type ListChange = (now: string) => Promise<void>

/**
 * Changes of items that continue after the response, one at a time for each list. Clients poll the operation.
 *
 * Several control processes may share the database, so a process fails only operations whose process has died. Each
 * process writes heartbeats to the database, and the others watch them, without comparing clocks.
 */
export class ListOperations {
  readonly #store: Store
  readonly #clock: Clock
  readonly #logger: ApiDeps['logger']
  readonly #queue = new KeyedQueue()
  /** Operations of this process that have not ended. */
  readonly #running = new Map<string, Promise<void>>()
  /** Operations of other processes, and how many checks in a row saw the same heartbeat. */
  #watched = new Map<string, { readonly beats: number; readonly looks: number }>()
  #open = 0
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()

  constructor({ store, clock, logger }: Pick<ApiDeps, 'store' | 'clock' | 'logger'>) {
    this.#store = store
    this.#clock = clock
    this.#logger = logger
  }

  /**
   * @returns the operation's id, once clients can poll it
   * @throws ApiError 429 when too many have not ended
   */
  async begin(list: List, change: ListChange): Promise<string> {
    if (this.#open >= listRequestLimits.operationsOpenMax) throw refusal('tooManyWrites')
    const operation = { id: newId(), accountId: list.accountId }
    this.#open++
    try {
      await this.#store.lists.putOperation({ ...operation, status: 'pending' })
    } catch (error) {
      this.#open--
      throw error
    }
    const run = this.#queue
      .run(list.id, () => this.#run(operation, change))
      .catch(error => this.#logger.error({ err: error, operation: operation.id }, 'list operation not ended'))
      .finally(() => {
        this.#open--
        this.#running.delete(operation.id)
      })
    this.#running.set(operation.id, run)
    return operation.id
  }

  /** Begins to send heartbeats, and fails operations whose process has died. A start does not wait for the database. */
  watch(): void {
    const look = () => {
      this.#looking = this.look().catch(error =>
        this.#logger.warn({ err: error }, 'list operations cannot be checked'),
      )
    }
    look()
    this.#timer = setInterval(look, listRequestLimits.operationBeatMs).unref()
  }

  /** Waits until all operations have ended. */
  async close(): Promise<void> {
    await Promise.all(this.#running.values())
    clearInterval(this.#timer)
    await this.#looking
  }

  /** Sends a heartbeat and checks those of other processes. */
  async look(): Promise<void> {
    if (this.#running.size > 0) await this.#store.lists.beatOperations([...this.#running.keys()])
    const seen = new Map<string, { readonly beats: number; readonly looks: number }>()
    for (const { id, beats } of await this.#store.lists.openOperations()) {
      if (this.#running.has(id)) continue
      const before = this.#watched.get(id)
      const looks = before?.beats === beats ? before.looks + 1 : 0
      seen.set(id, { beats, looks })
      if (looks >= listRequestLimits.operationSilentBeatsMax) await this.#fail({ id, beats })
    }
    this.#watched = seen
  }

  async #fail(open: { readonly id: string; readonly beats: number }): Promise<void> {
    const reason = 'Sluice stopped before the operation ended; check the items and try again'
    await this.#store.lists.failOperation(open, reason, timestampOf(this.#clock.nowMs()))
    this.#logger.warn({ operation: open.id }, 'the process of a list operation died; the operation failed')
  }

  async #run(operation: Pick<ListOperation, 'id' | 'accountId'>, change: ListChange): Promise<void> {
    await this.#store.lists.putOperation({ ...operation, status: 'running' })
    const failure = await this.#failureOf(change)
    const completedOn = timestampOf(this.#clock.nowMs())
    await this.#store.lists.putOperation(
      failure === undefined
        ? { ...operation, status: 'completed', completedOn }
        : { ...operation, status: 'failed', error: failure, completedOn },
    )
  }

  async #failureOf(change: ListChange): Promise<string | undefined> {
    try {
      await change(timestampOf(this.#clock.nowMs()))
      return undefined
    } catch (error) {
      if (error instanceof StoreError && error.code !== 'unavailable') return error.message
      this.#logger.error({ err: error }, 'list operation failed')
      return 'internal error; try again'
    }
  }
}
