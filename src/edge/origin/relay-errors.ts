/** The origin does not read the request's body. */
export class OriginStalledError extends Error {
  override readonly name = 'OriginStalledError'
  readonly code = 'ETIMEDOUT'

  constructor() {
    super('the origin does not read the request body')
  }
}

/** The origin's status is none of HTTP (RFC 9110 15). */
export class InvalidStatusError extends Error {
  override readonly name = 'InvalidStatusError'
  readonly code = 'ERR_INVALID_STATUS'

  constructor(status: number) {
    super(`the origin answered with the status ${status}, which is not from 100 to 599`)
  }
}
