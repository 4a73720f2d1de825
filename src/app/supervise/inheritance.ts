import type { Answered, Call } from '../../analytics/index.ts'
import type { RateCounts } from '../../bus/index.ts'
import type { EdgeInheritance } from '../edge/workers.ts'

/** The sockets that a process gets from its supervisor: bound, for it to listen on. */
export interface Inheritance {
  readonly edge: EdgeInheritance
  /** File descriptors. */
  readonly single: SingleSockets
  /** Asks the process that has the store of analytics; undefined if the supervisor is of a version that passes no queries. */
  readonly askAnalytics: ((call: Call) => void) | undefined
}

/** File descriptors of the addresses that have one socket each; undefined where the settings name no address. */
export interface SingleSockets {
  readonly api?: number | undefined
  readonly apiTls?: number | undefined
  readonly health?: number | undefined
}

/** The inheritance in the environment of the process. File descriptors begin at `firstFd`. */
export interface Bequest {
  /** The addresses that the sockets belong to, as `addressesOf` gives them. */
  readonly addresses: readonly string[]
  readonly sockets: EdgeInheritance['sockets']
  readonly single: SingleSockets
  readonly workers: number
  readonly number: number
  /** Hexadecimal. */
  readonly rateSecret: string
  /** The supervisor knows the messages `query` and `answer`. */
  readonly passesQueries?: true
}

/** Standard input, output and error, and the channel of messages come before. */
export const firstFd = 4

/** Counts of rate limits, from a replaced process to the one that has taken over. */
interface Counts {
  readonly kind: 'counts'
  readonly counts: RateCounts
}

/** A query of analytics, to the process that has the store. */
interface Query {
  readonly kind: 'query'
  readonly call: Call
}

interface Answer {
  readonly kind: 'answer'
  readonly answered: Answered
}

export type ToSupervisor =
  | Counts
  | Query
  | Answer
  /** The process serves. */
  | { readonly kind: 'ready' }
  /** The process has to be replaced. */
  | { readonly kind: 'broken' }
  /** The process has ended its sole work; it sends this once, after `retire`. */
  | { readonly kind: 'handed-over' }

export type FromSupervisor =
  | Counts
  | Query
  | Answer
  /** No other process does the sole work: see `Running.takeOver`. */
  | { readonly kind: 'take-over' }
  /** The process is replaced: see `Running.retire`. */
  | { readonly kind: 'retire' }

/** For a process that retires: the one that has taken over. */
export interface Successor {
  giveRateCounts(counts: RateCounts): void
  /** This process has ended its sole work. */
  handOver(): void
}

const variable = 'SLUICE_SUPERVISED'

export function bequeath(bequest: Bequest): { readonly [name: string]: string } {
  return { [variable]: JSON.stringify(bequest) }
}

/** Removes the inheritance from the environment, which otherwise holds settings only. */
export function takeBequest(environment: NodeJS.ProcessEnv): Bequest | undefined {
  const text = environment[variable]
  delete environment[variable]
  return text === undefined ? undefined : JSON.parse(text)
}
