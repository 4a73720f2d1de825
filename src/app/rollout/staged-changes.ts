import type { ChangeSource } from '../../bus/index.ts'
import type { Rollout } from '../../model/rollout.ts'
import type { RolloutStore } from '../../store/index.ts'

/**
 * The changes that one edge may take. The others are absent. So if a change that the edge has taken is withdrawn, its feed
 * finds what it finds after a restore: a database that went back.
 */
export class StagedChanges implements ChangeSource {
  readonly #source: ChangeSource
  readonly #store: Pick<RolloutStore, 'get'>
  readonly #edge: string
  readonly #onWaiting = new Set<() => void>()
  #rollout: Rollout | undefined
  readonly onNotice?: NonNullable<ChangeSource['onNotice']>

  /** @param edge id of this machine */
  constructor(source: ChangeSource, store: Pick<RolloutStore, 'get'>, edge: string) {
    this.#source = source
    this.#store = store
    this.#edge = edge
    if (source.onNotice !== undefined) this.onNotice = source.onNotice
  }

  /** As the last read found it; undefined while changes are not staged. */
  get rollout(): Rollout | undefined {
    return this.#rollout
  }

  /** Calls back when a read has left out changes. @returns ends it */
  onWaiting(callback: () => void): () => void {
    const own = (): void => callback()
    this.#onWaiting.add(own)
    return () => {
      this.#onWaiting.delete(own)
    }
  }

  async head(): Promise<number> {
    const last = await this.#lastAllowed()
    return Math.min(last, await this.#source.head())
  }

  async after(sequence: number): ReturnType<ChangeSource['after']> {
    const last = await this.#lastAllowed()
    const read = await this.#source.after(sequence)
    const allowed = read.filter(change => change.sequence <= last)
    if (allowed.length < read.length) for (const callback of this.#onWaiting) callback()
    // At first only the changes for all edges: the copy keeps this state. The follower then asks for more.
    const forAll = allowed.filter(change => change.sequence <= (this.#rollout?.everywhere ?? 0))
    return forAll.length > 1 ? forAll : allowed
  }

  async #lastAllowed(): Promise<number> {
    const { rollout } = await this.#store.get()
    this.#rollout = rollout.state === 'off' ? undefined : rollout
    if (rollout.state === 'off') return Number.POSITIVE_INFINITY
    const isFirst = rollout.state !== 'halted' && rollout.first.includes(this.#edge)
    return isFirst ? Number.POSITIVE_INFINITY : rollout.everywhere
  }
}
