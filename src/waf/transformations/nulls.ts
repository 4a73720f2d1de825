import { finish, scratchWith } from './scratch.ts'

/** Drops 0x00. */
export function removeNulls(value: string): string {
  const start = value.indexOf('\0')
  if (start < 0) return value
  const out = scratchWith(value, start)
  let length = start
  for (let i = start; i < value.length; i++) {
    const code = value.charCodeAt(i)
    if (code !== 0) out[length++] = code
  }
  return finish(out, length, value)
}

/** 0x00 to a blank. */
export function replaceNulls(value: string): string {
  const start = value.indexOf('\0')
  if (start < 0) return value
  const out = scratchWith(value, start)
  for (let i = start; i < value.length; i++) out[i] = value.charCodeAt(i) || 0x20
  return finish(out, value.length, value)
}
