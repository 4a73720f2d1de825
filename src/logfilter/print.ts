import type { FilterNode, FilterValue } from './types.ts'

/**
 * The JSON text of a tree, without blanks, in the order key, operator, value. `filterTree` reads the same tree from it;
 * limits are not checked.
 */
export function printFilter(tree: FilterNode): string {
  return `{"where":${printedNode(tree)}}`
}

function printedNode(node: FilterNode): string {
  if (node.kind !== 'criterion') return `{"${node.kind}":[${node.nodes.map(printedNode).join(',')}]}`
  const { key, operator, value } = node
  return `{"key":${JSON.stringify(key)},"operator":"${operator}","value":${printedValue(value)}}`
}

function printedValue(value: FilterValue | readonly FilterValue[]): string {
  if (typeof value === 'object') return `[${value.map(printedValue).join(',')}]`
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value)
}
