/** An order failed at a step. */
export class AcmeError extends Error {
  override readonly name = 'AcmeError'

  /** @param step a noun phrase, such as `the order` */
  constructor(step: string, reason: string, options?: ErrorOptions) {
    super(`${step} failed: ${reason}`, options)
  }
}
