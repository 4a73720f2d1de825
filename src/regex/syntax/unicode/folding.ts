import { type CodeSet, hasCode, unionOf } from './code-set.ts'
import { remembered } from './remembered.ts'

/** Groups of characters that differ in case only, by each of their members. Built at first use. */
let groups: ReadonlyMap<number, readonly number[]> | undefined

/** The set with the other cases of its characters. */
export const foldedCodes: (set: CodeSet) => CodeSet = remembered(set => {
  const others: CodeSet[] = [set]
  for (const [code, group] of caseGroups()) {
    if (hasCode(set, code)) others.push(...group.map(other => [other, other]))
  }
  return unionOf(others)
})

/** A character with its other cases. */
export function caseVariants(code: number): CodeSet {
  const group = caseGroups().get(code) ?? [code]
  return unionOf(group.map(other => [other, other]))
}

/** No letters after it have cases. */
const lastCased = 0x1e943
/** Only Turkish takes it for an `i`. */
const dotlessI = 0x131

/**
 * Simple case folding, from the platform's case mappings: characters belong together if their upper case has the same
 * lower case.
 * @source Unicode CaseFolding.txt, statuses C and S
 */
function caseGroups(): ReadonlyMap<number, readonly number[]> {
  if (groups !== undefined) return groups
  const byKey = new Map<number, number[]>()
  for (let code = 0; code <= lastCased; code++) {
    if (code === dotlessI || (code >= 0xd800 && code <= 0xdfff)) continue
    const key = mapped(mapped(code, 'toUpperCase'), 'toLowerCase')
    const group = byKey.get(key)
    if (group === undefined) byKey.set(key, [code])
    else group.push(code)
  }
  const made = new Map<number, readonly number[]>()
  for (const group of byKey.values()) {
    if (group.length > 1) for (const code of group) made.set(code, group)
  }
  groups = made
  return made
}

/** The character itself if its other case has several characters. */
function mapped(code: number, how: 'toUpperCase' | 'toLowerCase'): number {
  const text = String.fromCodePoint(code)[how]()
  const first = text.codePointAt(0)!
  return text.length === (first > 0xffff ? 2 : 1) ? first : code
}
