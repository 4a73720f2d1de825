import { nextTurn, turnToContinue } from '../../kit/turns.ts'
import { ClientBodyError } from '../message/body-source.ts'
import type { TurnTaker } from '../message/turn-taker.ts'

/** Work that yields where other requests may run. The engine's `Steps` have this form. */
export type Slices<Result> = Generator<void, Result, void>

/** The owner of work, such as the `RequestFacts` of a request. */
interface Owner extends TurnTaker {
  /** The client has left: the work stops between two slices. By default, it continues to its end. */
  readonly hasLeft?: boolean
}

/** Collects the time of work. */
interface Timed {
  engineMs: number
}

/**
 * Work with more slices than this is long, and other work of the zone passes it. JSON of 32 KB has fewer. Of a deliberately expensive
 * request, it is a small part.
 */
const shortSlices = 8

/** Work outside of requests, such as a trace. */
const noRequest: TurnTaker = { zoneId: '', client: '' }

/**
 * Runs work in slices, so that long work does not delay other requests. The first slice runs at once. Most phases end
 * within it and cost neither a promise nor a turn of the event loop.
 * @param timed its `engineMs` grows by the time that the work takes, without the time that it waits
 * @throws the error of the work; after the first slice the promise rejects with it, or with ClientBodyError when the
 *   client has left
 */
export function inSlices<Result>(
  work: Slices<Result>,
  owner: Owner = noRequest,
  timed?: Timed,
): Result | Promise<Result> {
  const first = timed === undefined ? work.next() : timedStep(work, timed)
  return first.done === true ? first.value : runOn(work, owner, shortSlices, timed)
}

function timedStep<Result>(work: Slices<Result>, timed: Timed): IteratorResult<void, Result> {
  const beganMs = performance.now()
  try {
    return work.next()
  } finally {
    timed.engineMs += performance.now() - beganMs
  }
}

/** Runs work that no response waits for. Requests of the same zone pass it. */
export function inBackground<Result>(work: Slices<Result>, owner: Owner = noRequest): Promise<Result> {
  return runOn(work, owner, 0)
}

async function runOn<Result>(
  work: Slices<Result>,
  owner: Owner,
  short: number,
  timed?: Timed,
): Promise<Result> {
  const { zoneId, client } = owner
  for (let slices = 1; ; slices++) {
    await (slices < short ? turnToContinue(zoneId, client) : nextTurn(zoneId, client))
    if (owner.hasLeft === true) {
      work.return(undefined as Result)
      throw new ClientBodyError('aborted')
    }
    const step = timed === undefined ? work.next() : timedStep(work, timed)
    if (step.done === true) return step.value
  }
}
