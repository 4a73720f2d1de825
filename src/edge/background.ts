/** What one edge still does for requests that have ended; bounded, so that an attack cannot pile it up. */
export interface Background {
  /** Payloads that are being encrypted. */
  encryptions: number
  /** Requests that wait for their shadow, and the bytes of bodies that are kept for them. */
  shadows: number
  shadowBytes: number
  /** Resolves when the last of these has been evaluated: one at a time, so that requests wait for slices of one only. */
  lastShadow: Promise<unknown>
}

export function noBackground(): Background {
  return { encryptions: 0, shadows: 0, shadowBytes: 0, lastShadow: Promise.resolve() }
}
