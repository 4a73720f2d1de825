import type { Matcher } from '../../regex/matcher.ts'
import type { Address } from '../address.ts'
import type { Apply, FunctionSpec, Literal } from '../functions/spec.ts'
import type { Field, ListTest } from '../types.ts'
import type { ValueType } from '../value-type.ts'
import type { Span } from './lexer.ts'
import type { IntRange, IpRange } from './literals.ts'

/** An expression with checked names and types. `type` is Bool, or an array of Bool inside `any` and `all`. */
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

/** A test of one value, or of each element if the operand has a `[*]`. */
export interface Comparison<C> {
  readonly kind: 'comparison'
  readonly operand: Operand<C>
  readonly test: Test<C>
  readonly type: ValueType
}

/** A Boolean operand on its own. */
export interface Truth<C> {
  readonly kind: 'truth'
  readonly operand: Operand<C>
  readonly type: ValueType
}

export type OrderOperator = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge'

/** A test of one value. */
export type Test<C> =
  | LiteralTest
  /** With another operand, which is of the same type and has no `[*]`. */
  | { readonly kind: 'order-operand'; readonly operator: OrderOperator; readonly right: Operand<C> }

export type LiteralTest =
  | { readonly kind: 'order-string'; readonly operator: OrderOperator; readonly literal: string }
  | { readonly kind: 'order-integer'; readonly operator: OrderOperator; readonly literal: bigint }
  | { readonly kind: 'order-ip'; readonly operator: OrderOperator; readonly literal: Address }
  | { readonly kind: 'in-strings'; readonly items: readonly string[] }
  | { readonly kind: 'in-integers'; readonly items: readonly IntRange[] }
  | { readonly kind: 'in-ips'; readonly items: readonly IpRange[] }
  | { readonly kind: 'in-list'; readonly name: string; readonly has: ListTest }
  | { readonly kind: 'bits'; readonly literal: bigint }
  | { readonly kind: 'contains'; readonly literal: string }
  | {
      readonly kind: 'wildcard'
      readonly pattern: string
      readonly strict: boolean
      readonly test: StringTest
    }
  | { readonly kind: 'matches'; readonly matcher: Matcher }

export type StringTest = (value: string) => boolean

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
  /** The function with its literals bound. */
  readonly apply: Apply
  readonly arguments: readonly Argument<C>[]
  /** The first argument stands for several values: the function is applied to each, and the result is an array. */
  readonly mapped: boolean
  readonly type: ValueType
}

export interface LiteralArgument {
  readonly kind: 'literal'
  readonly value: Literal
  readonly type: ValueType
  readonly span: Span
}

export type Argument<C> =
  | LiteralArgument
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
