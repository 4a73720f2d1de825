/** Drops 0x00. */
export function removeNulls(value: string): string {
  return value.includes('\0') ? value.replaceAll('\0', '') : value
}

/** 0x00 to a blank. */
export function replaceNulls(value: string): string {
  return value.includes('\0') ? value.replaceAll('\0', ' ') : value
}
