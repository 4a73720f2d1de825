/** The number of bytes as a decimal text. */
export function length(value: string): string {
  return String(value.length)
}
