import { type ESTree, parseSync } from 'vite'
import { type Edit, editsAt, isFunction } from './operators.ts'

type Node = ESTree.Node

/** One mutation of one source file. */
export interface Mutant extends Edit {
  /** Path from the root of the repository. */
  readonly file: string
  /** Names of the enclosing classes and functions (`BatchBuilder.add`), or of the row of a table. */
  readonly scope: string
  /** Both from 1. */
  readonly line: number
  readonly column: number
}

/** All mutants of a file in the order of their positions. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`)
  const lines = lineStarts(source)
  const mutants: Mutant[] = []
  const visit = (node: Node, parent: Node, scope: readonly string[], inFunction: boolean): void => {
    if (isSkipped(node)) return
    const name = nameOf(node, inFunction, source)
    const inside = name === undefined ? scope : [...scope, name]
    for (const edit of editsAt(node, parent, source)) {
      const line = lines.findLastIndex(start => start <= edit.start)
      const column = edit.start - lines[line]! + 1
      mutants.push({ ...edit, file, scope: inside.join('.'), line: line + 1, column })
    }
    for (const child of childrenOf(node)) visit(child, node, inside, inFunction || isFunction(node))
  }
  visit(program, program, [], false)
  return mutants.sort((a, b) => a.start - b.start)
}

/** Types do not run, and assertions never fail. */
function isSkipped(node: Node): boolean {
  if (node.type === 'CallExpression')
    return node.callee.type === 'Identifier' && node.callee.name === 'assert'
  if (node.type === 'ExpressionStatement') return isSkipped(node.expression)
  return (
    node.type.startsWith('TS') &&
    !['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'].includes(node.type)
  )
}

/** The name of a function, method or class, and outside functions of a constant or a row of a table. */
function nameOf(node: Node, inFunction: boolean, source: string): string | undefined {
  const named = (part: Node | null) => (part === null ? undefined : source.slice(part.start, part.end))
  const isNamed = (value: Node | null) => !inFunction || (value !== null && isFunction(value))
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return named(node.id)
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return named(node.key)
    case 'Property':
      return isNamed(node.value) ? named(node.key) : undefined
    case 'VariableDeclarator':
      return node.id.type === 'Identifier' && isNamed(node.init) ? node.id.name : undefined
    default:
      return undefined
  }
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter(part => typeof part === 'object' && part !== null && typeof part.type === 'string')
}

function lineStarts(source: string): number[] {
  return [0, ...Array.from(source.matchAll(/\n/g), ({ index }) => index + 1)]
}
