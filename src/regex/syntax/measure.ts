import type { Node } from './ast.ts'

/**
 * Instructions of a node's NFA, repetitions unrolled. Linear in the size of the tree, so that too large patterns are
 * found before anything is built.
 */
export function instructionCount(node: Node): number {
  switch (node.kind) {
    case 'empty':
      return 0
    case 'set':
    case 'assertion':
    case 'next':
    case 'backreference':
      return 1
    case 'concat':
      return sum(node.items, instructionCount)
    case 'alternatives':
      return sum(node.items, instructionCount) + 2 * (node.items.length - 1)
    case 'group':
    case 'atomic':
      return instructionCount(node.item) + 2
    case 'look':
      return 1 + sum(node.branches, branch => instructionCount(branch.item) + 1)
    case 'repeat':
      return repeatCount(node)
  }
}

function repeatCount({ item, min, max, mode }: Extract<Node, { kind: 'repeat' }>): number {
  const turn = instructionCount(item)
  const optional = max !== Number.POSITIVE_INFINITY ? (max - min) * (turn + 1) : min === 0 ? turn + 2 : 1
  return min * turn + optional + (mode === 'possessive' ? 2 : 0)
}

/** Length in bytes of every match of a node; undefined if matches differ in length, or may. */
export function fixedLength(node: Node): number | undefined {
  switch (node.kind) {
    case 'empty':
    case 'assertion':
    case 'next':
    case 'look':
      return 0
    case 'set':
      return 1
    case 'concat': {
      const lengths = node.items.map(fixedLength)
      return lengths.includes(undefined) ? undefined : sum(lengths, length => length!)
    }
    case 'group':
    case 'atomic':
      return fixedLength(node.item)
    case 'repeat': {
      const length = fixedLength(node.item)
      return node.min !== node.max || length === undefined ? undefined : length * node.max
    }
    case 'alternatives': {
      const lengths = new Set(node.items.map(fixedLength))
      return lengths.size === 1 ? [...lengths][0] : undefined
    }
    case 'backreference':
      return undefined
  }
}

/** Whether a match of a node can be empty. */
export function canBeEmpty(node: Node): boolean {
  switch (node.kind) {
    case 'set':
      return false
    case 'concat':
      return node.items.every(canBeEmpty)
    case 'alternatives':
      return node.items.some(canBeEmpty)
    case 'group':
    case 'atomic':
      return canBeEmpty(node.item)
    case 'repeat':
      return node.min === 0 || node.emptyTurns
    default:
      return true
  }
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  let total = 0
  for (const item of items) total += of(item)
  return total
}
