import { isSpace } from '../../kit/ascii.ts'
import { finish, scratchWith } from './scratch.ts'

/** Drops ASCII white space and 0xA0. */
export function removeWhitespace(value: string): string {
  const start = firstBlank(value)
  if (start < 0) return value
  const out = scratchWith(value, start)
  let length = start
  for (let i = start; i < value.length; i++) {
    const code = value.charCodeAt(i)
    if (!isBlank(code)) out[length++] = code
  }
  return finish(out, length, value)
}

/** Each run of ASCII white space and 0xA0 to one blank. */
export function compressWhitespace(value: string): string {
  const start = firstBlank(value)
  if (start < 0) return value
  const out = scratchWith(value, start)
  let length = start
  let inRun = false
  for (let i = start; i < value.length; i++) {
    const code = value.charCodeAt(i)
    const blank = isBlank(code)
    if (!blank) out[length++] = code
    else if (!inRun) out[length++] = 0x20
    inRun = blank
  }
  return finish(out, length, value)
}

/** Drops ASCII white space at both ends. */
export function trim(value: string): string {
  return trimLeft(trimRight(value))
}

export function trimLeft(value: string): string {
  let start = 0
  while (isSpace(value.charCodeAt(start))) start++
  return start === 0 ? value : value.slice(start)
}

export function trimRight(value: string): string {
  let end = value.length
  while (end > 0 && isSpace(value.charCodeAt(end - 1))) end--
  return end === value.length ? value : value.slice(0, end)
}

function isBlank(code: number): boolean {
  return isSpace(code) || code === 0xa0
}

function firstBlank(value: string): number {
  for (let i = 0; i < value.length; i++) if (isBlank(value.charCodeAt(i))) return i
  return -1
}
