/**
 * A byte string without leading and trailing blanks, tabs and line breaks. (`trim` would also remove the byte 0xA0.)
 */
export function trimmed(bytes: string): string {
  let start = 0
  let end = bytes.length
  while (start < end && isBlank(bytes.charCodeAt(start))) start++
  while (end > start && isBlank(bytes.charCodeAt(end - 1))) end--
  return bytes.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d
}
