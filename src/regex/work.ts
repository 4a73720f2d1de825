/**
 * Work of matching beyond known transitions: visited instructions of automata. It is counted for the whole thread, so
 * that a caller can bound the cost of untrusted patterns. A count covers one turn, because matching never waits.
 */
let done = 0
let limit = Infinity

/**
 * A pattern has cost more on its text than `boundWork` allows, or an expression more than its limit. The matcher stays
 * usable.
 */
export class WorkExceededError extends Error {
  override readonly name = 'WorkExceededError'
}

/**
 * A pattern has reached its limit (`regexLimits.backtrack…`), like PCRE's match limit: whether it matches is not known.
 * The matcher stays usable.
 */
export class MatchLimitError extends Error {
  override readonly name = 'MatchLimitError'

  constructor() {
    super('a regular expression cannot be matched within its limits on this text')
  }
}

/** Instructions since the thread began. */
export function workDone(): number {
  return done
}

/** Bounds the work from here on; `Infinity` removes the bound. */
export function boundWork(instructions: number): void {
  limit = done + instructions
}

/** @throws WorkExceededError */
export function countWork(instructions: number): void {
  done += instructions
  if (done > limit) throw new WorkExceededError('a regular expression costs too much on this text')
}

/** Instructions of one slice of a search that pauses: some tenths of a millisecond. */
export const sliceWork = 200_000
