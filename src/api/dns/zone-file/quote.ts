/** A text in quotes. @source RFC 1035 5.1 */
export function asTxtStrings(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
