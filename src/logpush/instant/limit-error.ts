/** The limit of listeners is reached; try again later. */
export class InstantLimitError extends Error {
  override readonly name = 'InstantLimitError'
  /** Which limit: this session's, or that of all sessions. */
  readonly limited: 'listeners' | 'sessions'

  constructor(limited: 'listeners' | 'sessions') {
    super(`too many ${limited}`)
    this.limited = limited
  }
}
