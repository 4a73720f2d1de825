/** Stands in the place of what was taken out. */
export const redacted = '[redacted]'
