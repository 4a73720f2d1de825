import { assert } from '../../kit/assert.ts'
import type { Apply } from '../functions/spec.ts'
import type { Argument, Call, Comparison, Expression, Logical, Operand, Step } from '../syntax/ast.ts'
import type { Predicate } from '../types.ts'
import { type Cell, isArray } from '../value-type.ts'
import { pay } from './allowance.ts'
import { type ValueTest, valueTest, whenMissing } from './comparison-closures.ts'
import { byCost } from './cost.ts'
import { fuse } from './fuse.ts'

type Reader<C> = (context: C) => Cell
/** Elements of an operand with `[*]`; missing elements are left out, a missing array is empty. */
type ManyReader<C> = (context: C) => readonly Cell[]
/** Whether the test holds for any element. */
type SomeReader<C> = (context: C, right: Cell) => boolean
/** Undefined if the Boolean array itself is missing. */
type BoolsReader<C> = (context: C) => readonly boolean[] | undefined

const alwaysTrue = () => true
const alwaysFalse = () => false
const noCells: readonly Cell[] = []

/** Creates the closure of an expression of type Bool. Work that does not depend on the context is done here. */
export function compileBool<C>(expression: Expression<C>): Predicate<C> {
  switch (expression.kind) {
    case 'logical':
      return compileLogical(expression)
    case 'not': {
      const item = compileBool(expression.item)
      return context => !item(context)
    }
    case 'quantifier':
      return compileQuantifier(expression.item, expression.every)
    case 'comparison':
      return compileComparison(expression)
    case 'truth': {
      const { root } = expression.operand
      if (root.kind === 'constant') return root.value ? alwaysTrue : alwaysFalse
      const read = compileOperand(expression.operand)
      return context => read(context) === true
    }
  }
}

function compileLogical<C>({ operator, items }: Logical<C>): Predicate<C> {
  if (operator === 'xor') return compileXor(items.map(compileBool))
  const tests = items.toSorted(byCost).map(compileBool)
  const [first, second] = tests as [Predicate<C>, Predicate<C>]
  if (operator === 'and') {
    if (tests.length === 2) return context => first(context) && second(context)
    return context => {
      for (let at = 0; at < tests.length; at++) if (!tests[at]!(context)) return false
      return true
    }
  }
  if (tests.length === 2) return context => first(context) || second(context)
  return context => {
    for (let at = 0; at < tests.length; at++) if (tests[at]!(context)) return true
    return false
  }
}

function compileXor<C>(tests: readonly Predicate<C>[]): Predicate<C> {
  return context => {
    let odd = false
    for (let at = 0; at < tests.length; at++) if (tests[at]!(context)) odd = !odd
    return odd
  }
}

function compileComparison<C>({ operand, test }: Comparison<C>): Predicate<C> {
  const read = compileOperand(operand)
  const holds = valueTest(test)
  const missing = whenMissing('operator' in test ? test.operator : undefined)
  if (test.kind !== 'order-operand') {
    return context => {
      const value = read(context)
      return value === undefined ? missing : holds(value, undefined)
    }
  }
  const readRight = compileOperand(test.right)
  return context => {
    const value = read(context)
    const right = readRight(context)
    return value === undefined || right === undefined ? missing : holds(value, right)
  }
}

/** `any` of an empty array is false, `all` of one is true; both are false for a missing Boolean array. */
function compileQuantifier<C>(item: Expression<C>, every: boolean): Predicate<C> {
  const search = searchOf(item)
  if (search !== undefined) {
    const { operand, holds, right } = search
    const some = compileSome(operand, every ? (value, other) => !holds(value, other) : holds)
    if (right === undefined) return context => some(context, undefined) !== every
    const readRight = compileOperand(right)
    return context => some(context, readRight(context)) !== every
  }
  const read = compileBools(item)
  return context => {
    const values = read(context)
    if (values === undefined) return false
    return every ? !values.includes(false) : values.includes(true)
  }
}

interface Search<C> {
  readonly operand: Operand<C>
  readonly holds: ValueTest
  readonly right?: Operand<C>
}

/** The elements and their one test, if the expression has no other part: then no arrays are needed. */
function searchOf<C>(item: Expression<C>): Search<C> | undefined {
  if (item.kind === 'comparison') {
    const { operand, test } = item
    const holds = elementTest(test)
    return test.kind === 'order-operand' ? { operand, holds, right: test.right } : { operand, holds }
  }
  if (item.kind === 'truth') {
    const { operand } = item
    if (operand.many) return { operand, holds: isTrue }
    const isMapped = operand.root.kind === 'call' && operand.root.call.mapped && operand.path.length === 0
    return isMapped ? { operand: { ...operand, path: eachStep, many: true }, holds: isTrue } : undefined
  }
  return fuse(item)
}

const isTrue: ValueTest = value => value === true
const eachStep: readonly Step[] = [{ kind: 'each' }]

/** The right-hand side may be missing, elements never are. */
function elementTest<C>(test: Comparison<C>['test']): ValueTest {
  const holds = valueTest(test)
  if (test.kind !== 'order-operand') return holds
  const missing = whenMissing(test.operator)
  return (value, right) => (right === undefined ? missing : holds(value, right))
}

/** Creates the closure of an expression of type Array<Bool>. */
function compileBools<C>(expression: Expression<C>): BoolsReader<C> {
  switch (expression.kind) {
    case 'logical':
      return compileLogicalArrays(expression)
    case 'not': {
      const item = compileBools(expression.item)
      return context => item(context)?.map(value => !value)
    }
    case 'comparison': {
      const { operand, test } = expression
      const read = compileMany(operand)
      const holds = elementTest(test)
      if (test.kind !== 'order-operand') return context => read(context).map(value => holds(value, undefined))
      const readRight = compileOperand(test.right)
      return context => {
        const right = readRight(context)
        return read(context).map(value => holds(value, right))
      }
    }
    case 'truth': {
      const { operand } = expression
      const read = operand.many ? compileMany(operand) : compileOperand(operand)
      return read as BoolsReader<C>
    }
    case 'quantifier':
      assert(false, 'a quantifier is checked as a Bool')
  }
}

/** Element by element, up to the length of the shortest array. */
function compileLogicalArrays<C>({ operator, items }: Logical<C>): BoolsReader<C> {
  const readers = items.map(compileBools)
  const combine = combiners[operator]
  return context => {
    let result = readers[0]!(context)
    for (let at = 1; at < readers.length && result !== undefined; at++) {
      const right = readers[at]!(context)
      result = right && result.slice(0, right.length).map((left, index) => combine(left, right[index]!))
    }
    return result
  }
}

const combiners = {
  and: (a: boolean, b: boolean) => a && b,
  or: (a: boolean, b: boolean) => a || b,
  xor: (a: boolean, b: boolean) => a !== b,
}

/** Reads the one value of an operand without `[*]`. */
export function compileOperand<C>(operand: Operand<C>): Reader<C> {
  const read = compileRoot(operand)
  const { path } = operand
  const [first, second] = path
  if (first === undefined) return read
  if (second === undefined) return context => valueBehind(read(context), first)
  if (path.length === 2) return context => valueBehind(valueBehind(read(context), first), second)
  return context => {
    let value = read(context)
    for (const step of path) value = valueBehind(value, step)
    return value
  }
}

function compileMany<C>(operand: Operand<C>): ManyReader<C> {
  const read = compileRoot(operand)
  const { path } = operand
  return context => {
    const elements: Cell[] = []
    collect(read(context), path, 0, elements)
    return elements
  }
}

function collect(value: Cell, path: readonly Step[], at: number, into: Cell[]): void {
  if (value === undefined) return
  const step = path[at]
  if (step === undefined) into.push(value)
  else if (step.kind !== 'each') collect(valueBehind(value, step), path, at + 1, into)
  else for (const element of elementsOf(value)) collect(element, path, at + 1, into)
}

/** Elements of an array in order, values of a map by ascending key. */
function elementsOf(value: Cell): readonly Cell[] {
  if (!(value instanceof Map)) return value as readonly Cell[]
  const map: ReadonlyMap<string, Cell> = value
  return [...map.keys()].sort(byBytes).map(key => map.get(key))
}

function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Creates no arrays, not even for a function of each element, if its other arguments are literals. */
function compileSome<C>(operand: Operand<C>, holds: ValueTest): SomeReader<C> {
  const { root, path } = operand
  if (root.kind === 'call' && root.call.mapped && path[0]?.kind === 'each') {
    const [first, ...others] = root.call.arguments
    if (others.every(other => other.kind === 'literal')) {
      const apply = compileApply(root.call, others.map(literalOf))
      return compileSome(operandOf(first!), (element, right) => someOf(apply(element), path, 1, holds, right))
    }
  }
  const read = compileRoot(operand)
  return (context, right) => someOf(read(context), path, 0, holds, right)
}

function someOf(value: Cell, path: readonly Step[], at: number, holds: ValueTest, right: Cell): boolean {
  if (value === undefined) return false
  const step = path[at]
  if (step === undefined) return holds(value, right)
  if (step.kind !== 'each') return someOf(valueBehind(value, step), path, at + 1, holds, right)
  if (value instanceof Map) {
    for (const element of (value as ReadonlyMap<string, Cell>).values()) {
      if (someOf(element, path, at + 1, holds, right)) return true
    }
    return false
  }
  const elements = value as readonly Cell[]
  for (let i = 0; i < elements.length; i++) {
    if (someOf(elements[i], path, at + 1, holds, right)) return true
  }
  return false
}

function valueBehind(value: Cell, step: Step): Cell {
  if (value === undefined) return undefined
  if (step.kind === 'index') return (value as readonly Cell[])[step.index]
  return step.kind === 'key' ? (value as ReadonlyMap<string, Cell>).get(step.key) : undefined
}

function compileRoot<C>({ root }: Operand<C>): Reader<C> {
  if (root.kind === 'field') return root.field.read
  return root.kind === 'constant' ? () => root.value : compileCall(root.call)
}

function compileCall<C>(call: Call<C>): Reader<C> {
  const [first, ...others] = call.arguments
  if (!call.mapped) return compilePlainCall(call, first!, others)
  const readMany = compileMany(operandOf(first!))
  if (others.every(other => other.kind === 'literal')) {
    const apply = compileApply(call, others.map(literalOf))
    return context => readMany(context).map(apply).filter(isPresent)
  }
  const readers = others.map(compileArgument)
  return context => {
    const apply = compileApply(
      call,
      readers.map(read => read(context)),
    )
    return readMany(context).map(apply).filter(isPresent)
  }
}

function isPresent(value: Cell): boolean {
  return value !== undefined
}

function compilePlainCall<C>(call: Call<C>, first: Argument<C>, others: readonly Argument<C>[]): Reader<C> {
  const readFirst = compileArgument(first)
  if (others.every(other => other.kind === 'literal')) {
    const apply = compileApply(call, others.map(literalOf))
    return context => apply(readFirst(context))
  }
  const apply = payingApply(call)
  const takesMissing = call.spec.takesMissing === true
  const readSecond = compileArgument(others[0]!)
  const readers = others.slice(1).map(compileArgument)
  return context => {
    const value = readFirst(context)
    const second = readSecond(context)
    const rest = readers.length === 0 ? noCells : readers.map(read => read(context))
    if (!takesMissing && (value === undefined || second === undefined || rest.includes(undefined)))
      return undefined
    return apply(value, second, rest)
  }
}

/** The function of its first argument, if the others are known. A missing argument gives a missing result. */
function compileApply<C>(call: Call<C>, others: readonly Cell[]): (first: Cell) => Cell {
  const [second, ...rest] = others
  const apply = payingApply(call)
  if (call.spec.takesMissing === true) return first => apply(first, second, rest)
  if (others.includes(undefined)) return () => undefined
  return first => (first === undefined ? undefined : apply(first, second, rest))
}

/** The function; it throws WorkExceededError if the evaluation has produced too much. */
function payingApply<C>({ apply, type, mapped }: Call<C>): Apply {
  const made = mapped && isArray(type) ? type.array : type
  if (made === 'Bool' || made === 'Int') return apply
  return (first, second, rest) => {
    const value = apply(first, second, rest)
    if (typeof value === 'string') pay(value.length)
    else if (Array.isArray(value)) pay(elementBytes * value.length)
    return value
  }
}

const elementBytes = 16

function literalOf<C>(argument: Argument<C>): Cell {
  assert(argument.kind === 'literal', 'only literals are known before any request')
  return argument.value
}

/** The first argument of a mapped call is an operand with a `[*]`. */
function operandOf<C>(argument: Argument<C>): Operand<C> {
  assert(argument.kind === 'operand', 'a call is mapped over an operand')
  return argument.operand
}

function compileArgument<C>(argument: Argument<C>): Reader<C> {
  if (argument.kind === 'literal') return () => argument.value
  if (argument.kind === 'operand') return compileOperand(argument.operand)
  return argument.type === 'Bool' ? compileBool(argument.expression) : compileBools(argument.expression)
}
