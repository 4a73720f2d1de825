/** What one edge still does for requests that have ended; bounded, so that an attack cannot pile it up. */
export interface Background {
  /** Payloads that are being encrypted. */
  encryptions: number
  /** Requests that wait for their shadow, and the bytes of bodies that are kept for them. */
  shadows: number
  shadowBytes: number
}

export function noBackground(): Background {
  return { encryptions: 0, shadows: 0, shadowBytes: 0 }
}
