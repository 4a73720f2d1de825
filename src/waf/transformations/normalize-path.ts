import { finish, scratchOf } from './scratch.ts'

const SLASH = 0x2f
const DOT = 0x2e
const BACKSLASH = 0x5c

/**
 * Collapses `//`, drops `/./`, resolves `x/..`. Leading `..` of a relative path stay; an absolute one loses them.
 * `.` alone gives ''; a slash at the end stays when a segment is left before it.
 */
export function normalizePath(path: string): string {
  return needsWork(path) ? normalize(path, SLASH) : path
}

/** Backslashes to slashes, then as `normalizePath`. */
export function normalizePathWin(path: string): string {
  return path.includes('\\') ? normalize(path, BACKSLASH) : normalizePath(path)
}

function needsWork(path: string): boolean {
  return path.includes('//') || path.includes('/.') || path.charCodeAt(0) === DOT
}

/** @param slash a byte that separates segments as the slash does */
function normalize(path: string, slash: number): string {
  const isSlash = (code: number) => code === SLASH || code === slash
  const out = scratchOf(path.length)
  const absolute = isSlash(path.charCodeAt(0))
  if (absolute) out[0] = SLASH
  /** Where the first segment stands. */
  const base = absolute ? 1 : 0
  let length = base
  let start = base
  while (start < path.length) {
    // The segment is written at once, and taken back when it is none.
    const before = length
    if (length > base) out[length++] = SLASH
    let at = start
    for (; at < path.length; at++) {
      const code = path.charCodeAt(at)
      if (isSlash(code)) break
      out[length++] = code
    }
    const size = at - start
    if (size === 0 || (size === 1 && path.charCodeAt(start) === DOT)) length = before
    else if (size === 2 && path.charCodeAt(start) === DOT && path.charCodeAt(start + 1) === DOT) {
      if (before > base && !endsWithParent(out, base, before)) length = parentEnd(out, base, before)
      else if (absolute) length = before
    }
    start = at + 1
  }
  if (length > base && isSlash(path.charCodeAt(path.length - 1))) out[length++] = SLASH
  return finish(out, length, path)
}

/** Is the last segment `..`? */
function endsWithParent(out: Uint8Array, base: number, length: number): boolean {
  if (length < base + 2 || out[length - 1] !== DOT || out[length - 2] !== DOT) return false
  return length === base + 2 || out[length - 3] === SLASH
}

/** Length without the last segment and the slash before it. Each byte is dropped once. */
function parentEnd(out: Uint8Array, base: number, length: number): number {
  let end = length - 1
  while (end > base && out[end] !== SLASH) end--
  return end
}
