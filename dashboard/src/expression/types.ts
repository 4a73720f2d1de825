import type { ExpressionType } from '../../../src/expressions/types.ts'
import type { Ruleset } from '../api/types.ts'

/** Where an expression stands: decides which fields and functions it may name. */
export interface Place {
  readonly phase: Ruleset['phase']
  /** `filter` for the expression of a rule, `counting` for what a rate limit counts. */
  readonly use: 'filter' | 'counting' | 'characteristic'
}

/** A field as the engine declares it. */
export interface FieldInfo {
  readonly name: string
  readonly type: ExpressionType
  readonly description: string
  /** Such as “Headers”. */
  readonly family: string
}

/** A list of the account, as far as expressions name it. */
export interface ListInfo {
  readonly name: string
  readonly kind: 'ip' | 'hostname' | 'asn' | 'redirect'
  readonly description: string
}

/** What is wrong with an expression, and where: offsets in UTF-16 units, `to` past the last. */
export interface Fault {
  readonly from: number
  readonly to: number
  readonly message: string
}

/** The rules language at one place, as the edge reads it. */
export interface Language {
  readonly fields: ReadonlyMap<string, FieldInfo>
  /** Names of the functions that may be called. */
  readonly functions: ReadonlySet<string>
  /** Undefined when they could not be read: then only the spelling of their names is checked. */
  readonly lists: readonly ListInfo[] | undefined
  /** What the API would refuse about the text; undefined when it would take it. */
  check(text: string): Fault | undefined
  /** The same expression in one spelling; undefined for one that does not read. */
  canonical(text: string): string | undefined
}
