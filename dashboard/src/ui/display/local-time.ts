/** For `datetime-local`: local time without a zone, to the minute. */
export function localText(ms: number): string {
  const moment = new Date(ms)
  return new Date(ms - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Localised; a dash for a missing time. */
export function momentText(iso: string | undefined): string {
  if (iso === undefined) return '–'
  return new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}
