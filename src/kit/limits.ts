/**
 * How a module declares its limits: in its own `limits.ts`, which holds nothing else. `docs/reference/settings.md` is made from all
 * of these files.
 */

/** Unit of a number. `count` is for things that the reason names; a `share` is a fraction of 1. */
export type LimitUnit =
  | 'count'
  | 'share'
  | 'bytes'
  | 'KiB'
  | 'MB'
  | 'bytes per second'
  | 'count per second'
  | 'characters'
  | 'bits'
  | 'ms'
  | 's'
  | 'hours'
  | 'days'

export interface Limit {
  readonly value: number
  readonly unit: LimitUnit
  /** The limited quantity, and the behaviour at the limit. */
  readonly reason: string
  /**
   * `user`: a user or operator can reach it, and docs/reference/settings.md lists it. `tuning`: visible only inside the
   * code.
   */
  readonly kind: 'user' | 'tuning'
}

/** The limits of one subject. A subject can have limits in several modules. */
export interface LimitGroup {
  /** Heading in docs/reference/settings.md. */
  readonly subject: string
  readonly limits: ReadonlyMap<string, Limit>
}

const groups = new WeakMap<object, LimitGroup>()

/** A limit that users or operators can meet. */
export function limit(value: number, unit: LimitUnit, reason: string): Limit {
  return { value, unit, reason, kind: 'user' }
}

/** A number that divides work or memory and is visible only inside the code. */
export function tuning(value: number, unit: LimitUnit, reason: string): Limit {
  return { value, unit, reason, kind: 'tuning' }
}

/** @returns only the values, for the code that enforces them */
export function limits<N extends string>(
  subject: string,
  declared: Readonly<Record<N, Limit>>,
): { readonly [K in N]: number } {
  const entries = Object.entries<Limit>(declared)
  const values = Object.fromEntries(entries.map(([name, { value }]) => [name, value]))
  groups.set(values, { subject, limits: new Map(entries) })
  return values as { readonly [K in N]: number }
}

/** @param values that `limits` returned */
export function limitGroup(values: object): LimitGroup | undefined {
  return groups.get(values)
}
