/** A responder gave no answer that clients accept. */
export class OcspError extends Error {
  override readonly name = 'OcspError'

  /** @param message the reason, for operators */
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
  }
}
