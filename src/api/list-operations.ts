import { type Clock, timestampOf } from '../kit/clock.ts'
import { newId } from '../kit/ids.ts'
import { listLimits } from '../kit/limits.ts'
import type { List, ListOperation } from '../model/resource.ts'
import { type Store, StoreError } from '../store/port.ts'
import type { ApiDeps } from './deps.ts'
import { refusal } from './errors.ts'
import { Turns } from './turns.ts'

/** What an operation does once it is its turn. @param now when it does it */
export type ListChange = (now: string) => Promise<void>

/**
 * Changes of items that go on after the answer, one after the other for each list. Whoever wants to know asks for the
 * operation.
 */
export class ListOperations {
  readonly #store: Store
  readonly #clock: Clock
  readonly #logger: ApiDeps['logger']
  readonly #turns = new Turns()
  readonly #running = new Set<Promise<void>>()
  #open = 0

  constructor({ store, clock, logger }: ApiDeps) {
    this.#store = store
    this.#clock = clock
    this.#logger = logger
  }

  /**
   * @returns the operation's id, once it can be asked about
   * @throws ApiError 429 when too many have not ended
   */
  async begin(list: List, change: ListChange): Promise<string> {
    if (this.#open >= listLimits.operationsOpenMax) throw refusal('tooManyWrites')
    const operation = { id: newId(), accountId: list.accountId }
    this.#open++
    try {
      await this.#store.lists.putOperation({ ...operation, status: 'pending' })
    } catch (error) {
      this.#open--
      throw error
    }
    const run = this.#turns
      .run(list.id, () => this.#run(operation, change))
      .catch(error => this.#logger.error({ err: error, operation: operation.id }, 'list operation not ended'))
      .finally(() => {
        this.#open--
        this.#running.delete(run)
      })
    this.#running.add(run)
    return operation.id
  }

  /** Operations that an earlier process did not end; nobody can say how far it came. */
  async failAbandoned(): Promise<void> {
    const reason = 'Sluice was stopped before the operation had ended; look at the items and try again'
    await this.#store.lists.failOpenOperations(reason, timestampOf(this.#clock.nowMs()))
  }

  /** Waits until all that began has ended. */
  async drain(): Promise<void> {
    await Promise.all(this.#running)
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
