/** A byte string without blanks, tabs and line breaks at its ends. (`trim` would take the byte 0xA0 too.) */
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
