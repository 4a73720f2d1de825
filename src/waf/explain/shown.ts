import { explainLimits } from '../limits.ts'

/** A byte string in a readable form on one line; see `shown` and `shownPattern`. */
export interface ShownValue {
  /** Printable ASCII unchanged, other bytes as `\xHH`. Only the beginning, if `cut`. */
  readonly text: string
  /** Length of the whole value. */
  readonly bytes: number
  readonly cut: boolean
}

/** A value of a request, with backslashes doubled. @param bytesMax of the value; the rest is cut */
export function shown(value: string, bytesMax: number = explainLimits.valueBytesMax): ShownValue {
  return firstBytes(value, '\\\\', bytesMax)
}

/** A text of a rule: backslashes are frequent, and other escapes rare. */
export function shownPattern(text: string): ShownValue {
  return firstBytes(text, '\\', explainLimits.valueBytesMax)
}

function firstBytes(value: string, backslash: string, bytesMax: number): ShownValue {
  const cut = value.length > bytesMax
  return { text: escaped(cut ? value.slice(0, bytesMax) : value, backslash), bytes: value.length, cut }
}

/** The same as one text: names of targets end with a client's bytes. */
export function shownName(name: string): string {
  const { text, bytes, cut } = shown(name)
  return cut ? `${text}… (${bytes} bytes)` : text
}

function escaped(bytes: string, backslash: string): string {
  let text = ''
  for (let i = 0; i < bytes.length; i++) {
    const code = bytes.charCodeAt(i)
    if (code === 0x5c) text += backslash
    else if (code >= 0x20 && code < 0x7f) text += bytes[i]
    else text += `\\x${code.toString(16).padStart(2, '0')}`
  }
  return text
}
