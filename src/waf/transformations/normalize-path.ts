import { wafLimits } from '../limits.ts'
import { finish, scratchOf } from './scratch.ts'

const SLASH = 0x2f
const DOT = 0x2e
const BACKSLASH = 0x5c

/**
 * Collapses `//`, drops `/./`, resolves `x/..`. Leading `..` of a relative path stay; an absolute one loses them. `.`
 * alone gives ''; a slash at the end stays if a segment precedes it.
 */
export function normalizePath(path: string): string {
  return needsWork(path) ? normalize(path, SLASH) : path
}

/** Backslashes to slashes, then as `normalizePath`. */
export function normalizePathWin(path: string): string {
  return path.includes('\\') ? normalize(path, BACKSLASH) : normalizePath(path)
}

/** `normalizePath` of a long value, with pauses between segments. */
export function* normalizePathInSlices(
  path: string,
  bytes: number = wafLimits.sliceBytes,
): Generator<void, string, void> {
  return needsWork(path) ? yield* normalizeInSlices(path, SLASH, bytes) : path
}

/** `normalizePathWin` of a long value, with pauses between segments. */
export function* normalizePathWinInSlices(
  path: string,
  bytes: number = wafLimits.sliceBytes,
): Generator<void, string, void> {
  if (!path.includes('\\')) return yield* normalizePathInSlices(path, bytes)
  return yield* normalizeInSlices(path, BACKSLASH, bytes)
}

function needsWork(path: string): boolean {
  return path.includes('//') || path.includes('/.') || path.charCodeAt(0) === DOT
}

/** @param slash a byte that separates segments like the slash */
function normalize(path: string, slash: number): string {
  const pass = beginPass(path, slash, scratchOf(path.length))
  goOn(pass, path.length)
  return finish(pass.out, endPass(pass), path)
}

function* normalizeInSlices(path: string, slash: number, bytes: number): Generator<void, string, void> {
  // A pause would let others overwrite the shared buffer.
  const pass = beginPass(path, slash, new Uint8Array(path.length))
  while (pass.start < path.length) {
    goOn(pass, pass.start + bytes)
    yield
  }
  return finish(pass.out, endPass(pass), path)
}

/** Positions of the read and written path. */
interface Pass {
  readonly path: string
  readonly slash: number
  readonly out: Uint8Array
  /** Start of the first segment in `out`. */
  readonly base: number
  /** Start of the next segment. */
  start: number
  length: number
}

function beginPass(path: string, slash: number, out: Uint8Array): Pass {
  const first = path.charCodeAt(0)
  const base = first === SLASH || first === slash ? 1 : 0
  if (base === 1) out[0] = SLASH
  return { path, slash, out, base, start: base, length: base }
}

/** Reads segments until one ends at or after `until`. */
function goOn(pass: Pass, until: number): void {
  const { path, slash, out, base } = pass
  const end = Math.min(until, path.length)
  let { start, length } = pass
  while (start < end) {
    // The segment is written at once, and removed if it is a dot segment.
    const before = length
    if (length > base) out[length++] = SLASH
    let at = start
    for (; at < path.length; at++) {
      const code = path.charCodeAt(at)
      if (code === SLASH || code === slash) break
      out[length++] = code
    }
    const size = at - start
    if (size === 0 || (size === 1 && path.charCodeAt(start) === DOT)) length = before
    else if (size === 2 && path.charCodeAt(start) === DOT && path.charCodeAt(start + 1) === DOT) {
      if (before > base && !endsWithParent(out, base, before)) length = parentEnd(out, base, before)
      else if (base === 1) length = before
    }
    start = at + 1
  }
  pass.start = start
  pass.length = length
}

/** @returns the written length */
function endPass({ path, slash, out, base, length }: Pass): number {
  const last = path.charCodeAt(path.length - 1)
  if (length === base || (last !== SLASH && last !== slash)) return length
  out[length] = SLASH
  return length + 1
}

/** Whether the last segment is `..`. */
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
