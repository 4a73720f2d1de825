/** So many listen already that one more has to wait. */
export class InstantLimitError extends Error {
  override readonly name = 'InstantLimitError'
  /** To this session, or to other sessions. */
  readonly what: 'listeners' | 'sessions'

  constructor(what: 'listeners' | 'sessions') {
    super(`too many ${what}`)
    this.what = what
  }
}
