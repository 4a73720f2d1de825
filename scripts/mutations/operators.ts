import type { ESTree } from 'vite'

type Node = ESTree.Node

/** A replacement of a part of the source. */
export interface Edit {
  readonly operator: Operator
  readonly start: number
  readonly end: number
  readonly replacement: string
}

/** The mutation operators. */
export const operators = [
  'condition', // if (a)          → if (true), if (false)
  'operand', //   a && b          → a, b
  'comparison', // a < b          → a <= b; a === b → a !== b
  'arithmetic', // a + b          → a - b
  'not', //       !a              → a
  'number', //    8               → 7
  'boolean', //   true            → false
  'string', //    'utf8'          → ''
  'regex', //     /^a$/           → /a$/, /^a/
  'array', //     [a, b]          → []
  'property', //  { a, b }        → { ...{}, b }
  'call', //      f(a), a.trim()  → a
  'method', //    Math.min(a, b)  → Math.max(a, b)
  'return', //    return a        → return undefined
  'statement', // f(a)            → ;
] as const

export type Operator = (typeof operators)[number]

const comparisons = new Map(pairs('< <=', '> >=', '=== !==', '== !='))
const calculations = new Map(
  pairs('+ -', '* /', '<< >>', '& |', '+= -=', '*= /=', '<<= >>=', '&= |=').concat([
    ['%', '*'],
    ['^', '|'],
    ['^=', '|='],
    ['>>>', '<<'],
  ]),
)
const methods = new Map(
  pairs(
    'min max',
    'floor ceil',
    'some every',
    'startsWith endsWith',
    'indexOf lastIndexOf',
    'trimStart trimEnd',
  ),
)

/** Methods whose result has the type of their object. */
const changes = new Set(
  `concat filter flat map padEnd padStart replace replaceAll reverse slice sort subarray substring toLowerCase
   toReversed toSorted toUpperCase trim trimEnd trimStart`.split(/\s+/),
)

/** Two words in a row: a message, whose wording needs no test. */
const sentence = /[a-z]{2,} [a-z]{2,}/i

/**
 * The mutations of one node. Redundant ones are left out: tests that detect `a` and `b` in place of `a && b` detect `a || b`.
 * @param source the text that contains the node
 */
export function editsAt(node: Node, parent: Node, source: string): Edit[] {
  const textOf = (part: { start: number; end: number }) => source.slice(part.start, part.end)
  const edit = (operator: Operator, range: { start: number; end: number }, replacement: string): Edit => ({
    operator,
    start: range.start,
    end: range.end,
    replacement,
  })
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return [edit('condition', node.test, 'true'), edit('condition', node.test, 'false')]
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'ForStatement':
      return node.test ? [edit('condition', node.test, 'false')] : []
    case 'LogicalExpression':
      return [edit('operand', node, textOf(node.left)), edit('operand', node, textOf(node.right))]
    case 'BinaryExpression': {
      const sign = signBetween(node.left, node.right, node.operator, source)
      const compared = comparisons.get(node.operator)
      // A condition is replaced by true and by false already.
      if (compared !== undefined)
        return node.operator.length > 2 && isTested(node, parent) ? [] : [edit('comparison', sign, compared)]
      const calculated = calculations.get(node.operator)
      return calculated === undefined ? [] : [edit('arithmetic', sign, calculated)]
    }
    case 'AssignmentExpression': {
      const sign = signBetween(node.left, node.right, node.operator, source)
      const calculated = calculations.get(node.operator)
      return calculated === undefined ? [] : [edit('arithmetic', sign, calculated)]
    }
    case 'UnaryExpression':
      return node.operator !== '!' || isTested(node, parent) ? [] : [edit('not', node, textOf(node.argument))]
    case 'Literal':
      return isKey(node, parent) ? [] : literalEdits(node, edit)
    case 'TemplateLiteral':
      return parent.type === 'TaggedTemplateExpression' || sentence.test(textOf(node))
        ? []
        : [edit('string', node, "''")]
    case 'ArrayExpression':
      return node.elements.length === 0 ? [] : [edit('array', node, '[]')]
    case 'Property':
      return parent.type === 'ObjectExpression' ? [edit('property', node, '...{}')] : []
    case 'CallExpression':
      return callEdits(node, parent).map(part =>
        /^(Identifier|MemberExpression|CallExpression|ThisExpression)$/.test(part.type)
          ? edit('call', node, textOf(part))
          : edit('call', node, `(${textOf(part)})`),
      )
    case 'MemberExpression': {
      const other = node.computed ? undefined : methods.get(textOf(node.property))
      return other !== undefined && parent.type === 'CallExpression' && parent.callee === node
        ? [edit('method', node.property, other)]
        : []
    }
    case 'ReturnStatement':
      if (node.argument === null) return [edit('statement', node, ';')]
      return isPlain(node.argument) ? [] : [edit('return', node.argument, 'undefined')]
    case 'ArrowFunctionExpression':
      return node.body.type === 'BlockStatement' || isPlain(node.body)
        ? []
        : [edit('return', node.body, 'undefined')]
    case 'ExpressionStatement':
      return /^(['"]|super\b)/.test(textOf(node)) ? [] : [edit('statement', node, ';')]
    case 'ThrowStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
      return [edit('statement', node, ';')]
    default:
      return []
  }
}

function literalEdits(
  node: Extract<Node, { type: 'Literal' }>,
  edit: (operator: Operator, node: Node, replacement: string) => Edit,
): Edit[] {
  if (typeof node.value === 'boolean') return [edit('boolean', node, String(!node.value))]
  if (typeof node.value === 'number') {
    if (node.value === 0) return [edit('number', node, '1')]
    const isDecimal = node.raw === String(node.value)
    return [edit('number', node, isDecimal ? String(node.value - 1) : `(${node.raw} - 1)`)]
  }
  if (typeof node.value === 'string')
    return node.value === '' || sentence.test(node.value) ? [] : [edit('string', node, "''")]
  if (!('regex' in node)) return []
  const { pattern, flags } = node.regex
  return [
    ...(/^\^./.test(pattern) ? [edit('regex', node, `/${pattern.slice(1)}/${flags}`)] : []),
    ...(/[^\\]\$$/.test(pattern) ? [edit('regex', node, `/${pattern.slice(0, -1)}/${flags}`)] : []),
  ]
}

/** The object or argument that usually has the type of the call's result. */
function callEdits(node: Extract<Node, { type: 'CallExpression' }>, parent: Node): Node[] {
  // The operator `statement` drops a call that is a statement.
  if (parent.type === 'ExpressionStatement' || parent.type === 'AwaitExpression') return []
  const { callee, arguments: values } = node
  if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier') {
    if (changes.has(callee.property.name)) return [callee.object]
    if (callee.object.type !== 'Identifier' || callee.object.name !== 'Math') return []
  } else if (callee.type !== 'Identifier') return []
  const first = values[0]
  return first === undefined || first.type === 'SpreadElement' || isFunction(first) ? [] : [first]
}

export function isFunction(node: Node): boolean {
  return /^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/.test(node.type)
}

/** Literals have their own operators. */
function isPlain(node: Node): boolean {
  return node.type === 'Literal' || (node.type === 'Identifier' && node.name === 'undefined')
}

function isTested(node: Node, parent: Node): boolean {
  return (
    parent.type === 'LogicalExpression' ||
    ('test' in parent && parent.test === node && parent.type !== 'SwitchCase')
  )
}

function isKey(node: Node, parent: Node): boolean {
  return (
    ('key' in parent && parent.key === node && !('computed' in parent && parent.computed)) ||
    ('source' in parent && parent.source === node)
  )
}

/** The position of an operator's sign. A comment in front of it may hold the same sign. */
function signBetween(left: Node, right: Node, sign: string, source: string): { start: number; end: number } {
  const start = source.lastIndexOf(sign, right.start - 1)
  if (start < left.end) throw new Error(`There is no ${sign} at ${right.start}`)
  return { start, end: start + sign.length }
}

function pairs(...rows: string[]): [string, string][] {
  return rows.flatMap(row => {
    const [one, other] = row.split(' ') as [string, string]
    return [
      [one, other],
      [other, one],
    ] as [string, string][]
  })
}
