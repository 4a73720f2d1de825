import { Evidence } from './evidence.ts'
import { Value } from './expression.ts'
import { Kind } from './kinds.ts'
import { type Reader, State } from './reader.ts'

/**
 * Judges the last fragment, closing a limited number of open parentheses per call.
 * @param hasTail whether a comment ends it
 * @param levels maximum number of parentheses to close
 * @returns whether it is an injection; undefined if more parentheses are open
 */
export function ends(reader: Reader, hasTail: boolean, levels: number): boolean | undefined {
  const fragment = reader.fragment
  const { points, expression } = fragment
  if (hasTail && !reader.ending) judgeTail(reader)
  reader.ending = true
  for (let closed = 0; expression.depth > 0; closed++) {
    if (closed === levels) return undefined
    fragment.close()
  }
  if (reader.state === State.union) judgeUnion(reader)
  if (reader.state === State.statement && reader.statement.endsHere && fragment.allowsStatement)
    reader.add(Evidence.statement)
  const isOpen = reader.state === State.operand && expression.left === Value.constant && expression.logical
  if (isOpen && points.rooted && fragment.quote === 0) reader.add(Evidence.openCondition)
  fragment.condition(false)
  return points.convincesWhole
}

/** A comment hides the rest of the surrounding statement. */
function judgeTail(reader: Reader): void {
  const fragment = reader.fragment
  const { expression, points, quote } = fragment
  const { bare, apart } = reader.lexer
  reader.add(Evidence.tail)
  if (reader.state === State.start && reader.lastKind === Kind.semicolon && !fragment.hasName)
    reader.add(quote !== 0 ? Evidence.quoteTail : Evidence.constantTail)
  else if (reader.atQuote || (quote !== 0 && fragment.closed && expression.term === Value.none))
    reader.add(bare ? Evidence.quoteTail : Evidence.quoteTailText)
  if (bare && reader.stacked) reader.add(Evidence.commandTail)
  if (bare && fragment.claused && points.rooted) reader.add(Evidence.clauseTail)
  if (reader.state !== State.after || expression.logical) return
  if (expression.left !== Value.none) {
    if (expression.widest !== Value.name) reader.add(Evidence.comparisonTail)
  } else if (fragment.fresh && !fragment.listed) {
    const isGroup = fragment.grouped && (!fragment.hasName || (bare && (fragment.joined || fragment.called)))
    if (isGroup) reader.add(Evidence.groupTail)
    else if (fragment.hasName) return
    else if (quote === 0 && (bare || (apart && !fragment.calculated))) reader.add(Evidence.constantTail)
  }
}

function judgeUnion(reader: Reader): void {
  const { points, quote } = reader.fragment
  if (!points.rooted || (quote !== 0 && !reader.unionDressed)) return
  reader.add(Evidence.unionAtEnd)
  if (reader.unionDressed) reader.add(Evidence.unionAtEndDressed)
}
