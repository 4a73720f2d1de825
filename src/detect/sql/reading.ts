/** How a database reads the parts on which databases differ. */
export interface Reading {
  /** MySQL: `#` and `-- ` begin comments, `\` escapes in strings. Otherwise `--` alone does, and `\` is a character. */
  readonly mysql: boolean
  /** The quote of the surrounding statement that is open where the value begins; '' for none. */
  readonly quote: '' | "'" | '"' | '`'
}
