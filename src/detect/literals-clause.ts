import type { Clause } from '../regex/index.ts'

/**
 * One of the literals is in the value. The first bytes of long literals suffice. A literal that contains another one of the
 * list is left out.
 * @param bytesMax of a literal; small, because every piece of a literal is looked up
 */
export function literalsClause(list: readonly string[], bytesMax: number): Clause {
  const heads = new Set(list.map(literal => literal.slice(0, bytesMax)))
  return { kind: 'literals', literals: [...heads].filter(head => !containsOther(head, heads)) }
}

function containsOther(head: string, heads: ReadonlySet<string>): boolean {
  for (let start = 0; start < head.length; start++)
    for (let end = start + 1; end <= head.length; end++)
      if (end - start < head.length && heads.has(head.slice(start, end))) return true
  return false
}
