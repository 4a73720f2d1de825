/** A receiver has not taken a notification. The message says why, without credentials. */
export class SendError extends Error {
  override readonly name = 'SendError'
}
