/**
 * Work that matching does beyond following known transitions: instructions that automata come to. Counted for the whole
 * thread, so that whoever runs patterns of strangers can bound what they cost. What is counted is of one turn: matching
 * never waits.
 */
let done = 0
let limit = Infinity

/** A pattern has cost more on its text than `boundWork` allows. The matcher stays fit for use. */
export class WorkExceededError extends Error {
  override readonly name = 'WorkExceededError'
}

/** Instructions since the thread began. */
export function workDone(): number {
  return done
}

/** From here on at most so many; `Infinity` for as many as it takes. */
export function boundWork(instructions: number): void {
  limit = done + instructions
}

/** @throws WorkExceededError */
export function countWork(instructions: number): void {
  done += instructions
  if (done > limit) throw new WorkExceededError('a regular expression costs too much on this text')
}
