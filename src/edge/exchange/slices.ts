import { nextTurn } from '../../kit/turns.ts'
import { ClientBodyError } from '../message/body-source.ts'
import type { TurnTaker } from '../message/turn-taker.ts'

/** Work that yields where other requests may run. The engine's `Steps` have this form. */
export type Slices<Result> = Generator<void, Result, void>

/** The owner of work, such as the `RequestFacts` of a request. */
interface Owner extends TurnTaker {
  /** The client has left: the work stops between two slices. By default, it continues to its end. */
  readonly hasLeft?: boolean
}

/**
 * Runs work in slices, so that long work does not delay other requests. The first slice runs at once. Most phases end
 * within it and cost neither a promise nor a turn of the event loop.
 * @throws the error of the work; after the first slice the promise rejects with it, or with ClientBodyError when the
 *   client has left
 */
export function inSlices<Result>(work: Slices<Result>, owner?: Owner): Result | Promise<Result> {
  const first = work.next()
  return first.done === true ? first.value : runOn(work, owner)
}

async function runOn<Result>(work: Slices<Result>, owner: Owner | undefined): Promise<Result> {
  for (;;) {
    await nextTurn(owner?.zoneId, owner?.client)
    if (owner?.hasLeft === true) {
      work.return(undefined as Result)
      throw new ClientBodyError('aborted')
    }
    const step = work.next()
    if (step.done === true) return step.value
  }
}
