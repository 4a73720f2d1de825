import type { ByteSet } from '../byte-set.ts'
import type { Clause, Requirements } from '../matcher.ts'
import type { Pattern } from '../syntax/ast.ts'
import { type Candidate, fewer } from './candidates.ts'
import { candidatesOf } from './factors.ts'

const clausesKept = 5
/**
 * One clause may have more literals than this only if the earlier clauses are weak: each literal costs states of the
 * search.
 */
const fewLiterals = 8
const sayingEnough = 0.02
/** Literals of one clause. */
const literalsOfClause = 500
/** If a clause is worse than this, analyzing the pattern without its optional parts is worth the time. */
const wanting = 0.1

/**
 * Conditions on every text with a match of the pattern, the most selective first: at most five. Literals have 2 to 8
 * bytes, or one byte that is neither a letter nor a digit. Negative look-around and back-references are not considered.
 */
export function requirementsOf(pattern: Pattern): Requirements {
  let candidates = listed(pattern, false)
  if ((candidates[0]?.cost ?? Number.POSITIVE_INFINITY) > wanting)
    candidates = sorted([...candidates, ...listed(pattern, true)])
  const chosen: Clause[] = []
  let saysEnough = false
  for (const candidate of candidates) {
    if (chosen.length === clausesKept) break
    const isMany = candidate.literals.length > fewLiterals
    if (isMany && saysEnough) continue
    const clause = clauseOf(candidate)
    if (clause.kind === 'literals' && clause.literals.length > literalsOfClause) continue
    if (chosen.some(other => implies(other, clause))) continue
    chosen.push(clause)
    saysEnough ||= isMany || candidate.cost < sayingEnough
  }
  return chosen
}

function listed(pattern: Pattern, leavesGaps: boolean): Candidate[] {
  const { literals, bytes, mixed } = candidatesOf(pattern.root, leavesGaps)
  return sorted([...literals, ...bytes, ...mixed])
}

function sorted(candidates: Candidate[]): Candidate[] {
  return candidates.sort((a, b) => a.cost - b.cost)
}

function clauseOf({ literals, bytes }: Candidate): Clause {
  if (bytes === undefined) return { kind: 'literals', literals: fewer(literals) }
  const singles: string[] = []
  bytes.members.forEach((member, byte) => {
    if (member === 1) singles.push(String.fromCharCode(byte))
  })
  const all = literals.length === 0 ? singles : fewer([...singles, ...literals])
  return all.length === singles.length ? { kind: 'bytes', bytes } : { kind: 'literals', literals: all }
}

/** Whether every text that meets the one clause meets the other. */
function implies(one: Clause, other: Clause): boolean {
  if (one.kind === 'bytes') return isWithin(one.bytes, other)
  return one.literals.every(literal =>
    other.kind === 'literals'
      ? other.literals.some(part => literal.includes(part))
      : holdsOneOf(literal, other.bytes),
  )
}

function isWithin(bytes: ByteSet, other: Clause): boolean {
  if (other.kind === 'bytes') return bytes.isWithin(other.bytes)
  return bytes.members.every(
    (member, byte) => member === 0 || other.literals.includes(String.fromCharCode(byte)),
  )
}

/** Letters may be in either case, so they do not count. */
function holdsOneOf(literal: string, bytes: ByteSet): boolean {
  for (let at = 0; at < literal.length; at++) {
    const byte = literal.charCodeAt(at)
    if (bytes.has(byte) && (byte < 0x61 || byte > 0x7a)) return true
  }
  return false
}
