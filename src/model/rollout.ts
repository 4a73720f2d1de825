/** How far changes have come: first to some edges of an installation, then to all. */
export interface Rollout {
  /**
   * `off`: every edge takes every change. `idle`: all edges have the same changes. `staged`: the first edges have more.
   * `halted`: these went back, and a person decides.
   */
  readonly state: 'off' | 'idle' | 'staged' | 'halted'
  /** Sequence of the last change for every edge. */
  readonly everywhere: number
  /** Sequence of the last change that was staged. */
  readonly staged: number
  /** Ids of the edges that take changes first. */
  readonly first: readonly string[]
  /** When the staged changes began, ms since the epoch. Names the stage. */
  readonly beganMs: number
  /** When the last staged change was found, ms since the epoch. */
  readonly lastMs: number
  /** Why it was halted; otherwise empty. */
  readonly reason: string
}

/** The requests of one edge since a stage began. */
export interface EdgeReport {
  /** Id of the edge's machine. */
  readonly edge: string
  /** `beganMs` of the stage. */
  readonly stage: number
  /** Sequence of the last change that the edge has. */
  readonly position: number
  readonly requests: number
  /** Blocked and challenged ones. */
  readonly mitigated: number
  /** Answers with a status from 500. */
  readonly failed: number
}

/** Decisions of a person. */
export type RolloutAction = 'proceed' | 'go_back' | 'retry'
