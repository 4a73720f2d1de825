import type { ExpressionType } from '../../../../src/expressions/types.ts'
import type { ExpressionContext } from '../../../../src/rulesets/fields/expression-context.ts'

/** Context of an expression: decides which fields and functions are available. */
export interface LanguageContext {
  readonly phase: ExpressionContext['phase']
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

/** A list of the account, as expressions see it. */
export interface ListInfo {
  readonly name: string
  readonly kind: 'ip' | 'hostname' | 'asn' | 'redirect'
  readonly description?: string
}

/** A fault of an expression: offsets in UTF-16 units, `to` is exclusive. */
export interface Fault {
  readonly from: number
  readonly to: number
  readonly message: string
}

/** The rules language in one context, as the edge compiles it. */
export interface Language {
  readonly fields: ReadonlyMap<string, FieldInfo>
  /** Names of available functions. */
  readonly functions: ReadonlySet<string>
  /** Undefined when the lists could not be read: then only the spelling of their names is checked. */
  readonly lists: readonly ListInfo[] | undefined
  /** The fault that the API would report; undefined for a valid expression. */
  check(text: string): Fault | undefined
  /** The expression in canonical spelling; undefined for an invalid one. */
  canonical(text: string): string | undefined
}
