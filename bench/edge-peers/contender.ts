import type { Level } from '../support/program.ts'

/** A proxy in front of the origin, with the rules of a level or without. */
export interface Contender {
  readonly name: string
  /** Undefined: no rules. */
  readonly level: Level | undefined
  readonly isSluice: boolean
  /** @returns it when it answers. @throws Error with the reason why it cannot take part */
  start(order: StartOrder): Promise<Running>
}

export interface StartOrder {
  readonly originPort: number
  /** Directory or archive of the CRS release. */
  readonly crs: string
  /** For its files. */
  readonly directory: string
}

export interface Running {
  readonly port: number
  readonly pid: number
  stop(): Promise<unknown>
}
