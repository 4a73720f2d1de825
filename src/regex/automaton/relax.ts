import { anyByte } from '../byte-set.ts'
import type { Node, Pattern } from '../syntax/ast.ts'

/**
 * A pattern for a finite automaton that matches at least where the given one does. If it finds nothing, the slower
 * exact search need not begin.
 */
export function relaxedPattern(pattern: Pattern): Pattern {
  return { ...pattern, root: relaxed(pattern.root), irregular: false, backreferences: false }
}

const anything: Node = {
  kind: 'repeat',
  item: { kind: 'set', set: anyByte },
  min: 0,
  max: Number.POSITIVE_INFINITY,
  mode: 'greedy',
  emptyTurns: false,
}

function relaxed(node: Node): Node {
  switch (node.kind) {
    case 'empty':
    case 'set':
    case 'next':
      return node
    case 'concat':
    case 'alternatives':
      return { ...node, items: node.items.map(relaxed) }
    case 'repeat': {
      const item = relaxed(node.item)
      return item.kind === 'empty' ? item : { ...node, item, mode: 'greedy', emptyTurns: true }
    }
    case 'group':
    case 'atomic':
      return relaxed(node.item)
    case 'assertion':
      return node.assertion === 'text-end-or-last-line-feed' ? { kind: 'empty' } : node
    case 'look':
      return { kind: 'empty' }
    case 'backreference':
      return anything
  }
}
