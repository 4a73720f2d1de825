import type { CrsFile } from '../model/resource.ts'

const copyright = /^# *Copyright \(c\) (?:\d{4} *- *)?(20\d\d)\b/gim
/** The head of a file has it. */
const headCharacters = 2000

/** The year that a release is of: the newest one that its rule files claim as theirs. Undefined when none does. */
export function releaseYear(files: readonly CrsFile[]): number | undefined {
  let newest: number | undefined
  for (const { name, text } of files) {
    if (!name.endsWith('.conf')) continue
    for (const [, year] of text.slice(0, headCharacters).matchAll(copyright))
      newest = Math.max(newest ?? 0, Number(year))
  }
  return newest
}

/** Releases come out every month or two: one of the year before last misses many rules and corrections. */
export function isOldRelease(year: number | undefined, nowMs: number): boolean {
  return year !== undefined && new Date(nowMs).getUTCFullYear() - year >= 2
}
