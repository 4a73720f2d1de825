import type { IpAddress } from '../kit/cidr.ts'
import type { Matcher } from '../regex/matcher.ts'
import type { FunctionSpec } from './functions/table.ts'
import type { Span } from './lexer.ts'
import type { IntRange, IpRange } from './literals.ts'
import type { Field } from './types.ts'
import type { ValueType } from './value-type.ts'

/** An expression whose names and types have been checked. `type` is Bool, or an array of Bool inside `any` and `all`. */
export type Expression<C> = Logical<C> | Negation<C> | Quantifier<C> | Comparison<C> | Truth<C>

/** `a and b and c`; nested only where the source has parentheses or another operator. */
export interface Logical<C> {
  readonly kind: 'logical'
  readonly operator: LogicalOperator
  readonly items: readonly Expression<C>[]
  readonly type: ValueType
}

export type LogicalOperator = 'and' | 'or' | 'xor'

export interface Negation<C> {
  readonly kind: 'not'
  readonly item: Expression<C>
  readonly type: ValueType
}

export interface Quantifier<C> {
  readonly kind: 'quantifier'
  readonly every: boolean
  readonly item: Expression<C>
  readonly type: 'Bool'
}

/** A test of one value, or of each element when the operand has a `[*]`. */
export interface Comparison<C> {
  readonly kind: 'comparison'
  readonly operand: Operand<C>
  readonly test: Test
  readonly type: ValueType
}

/** A Boolean operand that stands for itself. */
export interface Truth<C> {
  readonly kind: 'truth'
  readonly operand: Operand<C>
  readonly type: ValueType
}

export type OrderOperator = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge'

export type Test =
  | { readonly kind: 'order-string'; readonly operator: OrderOperator; readonly literal: string }
  | { readonly kind: 'order-integer'; readonly operator: OrderOperator; readonly literal: bigint }
  | { readonly kind: 'order-ip'; readonly operator: OrderOperator; readonly literal: IpAddress }
  | { readonly kind: 'in-strings'; readonly items: readonly string[] }
  | { readonly kind: 'in-integers'; readonly items: readonly IntRange[] }
  | { readonly kind: 'in-ips'; readonly items: readonly IpRange[] }
  | { readonly kind: 'bits'; readonly literal: bigint }
  | { readonly kind: 'contains'; readonly literal: string }
  | { readonly kind: 'wildcard'; readonly test: (value: string) => boolean }
  | { readonly kind: 'matches'; readonly matcher: Matcher }

export interface Operand<C> {
  readonly root: Root<C>
  readonly path: readonly Step[]
  /** Some step is `each`: the operand stands for several values of `type`. */
  readonly many: boolean
  /** Of the value, or of each of them. */
  readonly type: ValueType
  readonly span: Span
}

export type Root<C> =
  | { readonly kind: 'field'; readonly field: Field<C> }
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'call'; readonly call: Call<C> }

export interface Call<C> {
  readonly spec: FunctionSpec
  readonly arguments: readonly Argument<C>[]
  /** The first argument stands for several values: the function is applied to each, and the result is an array. */
  readonly mapped: boolean
  readonly type: ValueType
}

export type Argument<C> =
  | {
      readonly kind: 'literal'
      readonly value: string | number
      readonly type: ValueType
      readonly span: Span
    }
  | { readonly kind: 'operand'; readonly operand: Operand<C>; readonly type: ValueType; readonly span: Span }
  | {
      readonly kind: 'expression'
      readonly expression: Expression<C>
      readonly type: ValueType
      readonly span: Span
    }

export type Step =
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'each' }
