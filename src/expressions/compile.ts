import { assert } from '../kit/assert.ts'
import type { Argument, Call, Expression, Logical, Operand, Step } from './ast.ts'
import type { Predicate } from './types.ts'
import { missingNotEqual, valueTest } from './value-test.ts'
import type { Cell } from './value-type.ts'

type Reader<C> = (context: C) => Cell
/** Elements of an operand with `[*]`; missing elements are left out, a missing array is an empty one. */
type ManyReader<C> = (context: C) => readonly Cell[]
/** Undefined when the Boolean array itself is missing. */
type BoolsReader<C> = (context: C) => readonly boolean[] | undefined

const alwaysTrue = () => true
const alwaysFalse = () => false

/** Closures for an expression of type Bool. Everything that does not depend on the context is done here. */
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
    case 'comparison': {
      const read = compileOperand(expression.operand)
      const test = valueTest(expression.test)
      const whenMissing = isNotEqual(expression) && missingNotEqual
      return context => {
        const value = read(context)
        return value === undefined ? whenMissing : test(value)
      }
    }
    case 'truth': {
      const { root } = expression.operand
      if (root.kind === 'constant') return root.value ? alwaysTrue : alwaysFalse
      const read = compileOperand(expression.operand)
      return context => read(context) === true
    }
  }
}

function isNotEqual<C>(expression: Expression<C>): boolean {
  return (
    expression.kind === 'comparison' && 'operator' in expression.test && expression.test.operator === 'ne'
  )
}

function compileLogical<C>({ operator, items }: Logical<C>): Predicate<C> {
  const tests = items.map(compileBool)
  if (operator === 'and') {
    return context => {
      for (const test of tests) if (!test(context)) return false
      return true
    }
  }
  if (operator === 'or') {
    return context => {
      for (const test of tests) if (test(context)) return true
      return false
    }
  }
  return context => {
    let odd = false
    for (const test of tests) if (test(context)) odd = !odd
    return odd
  }
}

/** `any` of nothing is false, `all` of nothing is true; both are false of a missing Boolean array. */
function compileQuantifier<C>(item: Expression<C>, every: boolean): Predicate<C> {
  if (item.kind === 'comparison') {
    const read = compileMany(item.operand)
    const test = valueTest(item.test)
    return context => {
      for (const value of read(context)) if (test(value) !== every) return !every
      return every
    }
  }
  const read = compileBools(item)
  return context => {
    const values = read(context)
    if (values === undefined) return false
    return every ? !values.includes(false) : values.includes(true)
  }
}

/** Closures for an expression of type Array<Bool>. */
function compileBools<C>(expression: Expression<C>): BoolsReader<C> {
  switch (expression.kind) {
    case 'logical':
      return compileLogicalArrays(expression)
    case 'not': {
      const item = compileBools(expression.item)
      return context => item(context)?.map(value => !value)
    }
    case 'comparison': {
      const read = compileMany(expression.operand)
      const test = valueTest(expression.test)
      return context => read(context).map(test)
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

/** Element by element, as long as the shortest array. */
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

function compileOperand<C>(operand: Operand<C>): Reader<C> {
  const read = compileRoot(operand)
  const { path } = operand
  if (path.length === 0) return read
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
  const { apply } = call.spec
  if (!call.mapped) {
    const readers = call.arguments.map(compileArgument)
    return context => apply(readers.map(read => read(context)))
  }
  const [first, ...others] = call.arguments
  const readMany = compileMany((first as Extract<Argument<C>, { kind: 'operand' }>).operand)
  const readers = others.map(compileArgument)
  return context => {
    const rest = readers.map(read => read(context))
    return readMany(context)
      .map(element => apply([element, ...rest]))
      .filter(value => value !== undefined)
  }
}

function compileArgument<C>(argument: Argument<C>): Reader<C> {
  if (argument.kind === 'literal') return () => argument.value
  if (argument.kind === 'operand') return compileOperand(argument.operand)
  return argument.type === 'Bool' ? compileBool(argument.expression) : compileBools(argument.expression)
}
