/** What of a variable the names of its values are made of. */
export interface NamedVariable {
  /** `REQUEST_HEADERS` */
  readonly name: string
  /** `NAME:key` is how a value of it is called. */
  readonly keyed: boolean
  /** Keys are whole names themselves, as in MATCHED_VARS. */
  readonly qualified: boolean
}

/** How logs and MATCHED_VAR_NAME call a value of `variable` with that key. */
export function nameOf(variable: NamedVariable, key: string): string {
  if (variable.qualified) return key
  return variable.keyed ? `${variable.name}:${key}` : variable.name
}
