import type { EdgeInheritance } from '../edge/workers.ts'

/** The sockets that a process gets from its supervisor. */
export interface Inheritance {
  readonly edge: EdgeInheritance
  /** A bound socket for `SLUICE_HEALTH_LISTEN`. */
  readonly healthFd: number | undefined
}

/** The inheritance in the environment of the process. File descriptors begin at `firstFd`. */
export interface Bequest {
  /** The addresses that the sockets belong to, in the order of `listenersOf`. */
  readonly addresses: readonly string[]
  readonly sockets: EdgeInheritance['sockets']
  readonly workers: number
  readonly number: number
  readonly healthFd?: number | undefined
}

/** Standard input, output and error, and the channel of messages come before. */
export const firstFd = 4

export type ToSupervisor =
  /** The process serves. */
  | { readonly kind: 'ready' }
  /** The process has to be replaced. */
  | { readonly kind: 'worker-lost' }

/** The process is replaced: see `Running.retire`. */
export type FromSupervisor = { readonly kind: 'retire' }

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
