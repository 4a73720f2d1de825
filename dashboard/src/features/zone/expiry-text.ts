const dayMs = 86_400_000

/** `Expires in 12 days`, in whole days. @param expiresOn ISO 8601 */
export function expiryText(expiresOn: string, nowMs: number): string {
  const leftMs = Date.parse(expiresOn) - nowMs
  if (leftMs <= 0) return 'Expired'
  const days = Math.floor(leftMs / dayMs)
  if (days === 0) return 'Expires within a day'
  return `Expires in ${days} ${days === 1 ? 'day' : 'days'}`
}
