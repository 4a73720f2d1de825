/** The parts of a variable for the names of its values. */
export interface NamedVariable {
  /** `REQUEST_HEADERS` */
  readonly name: string
  /** Whether its values are named `NAME:key`. */
  readonly keyed: boolean
  /** Whether keys are whole names, as in MATCHED_VARS. */
  readonly qualified: boolean
}

/** The name of a value of `variable` with that key, in logs and MATCHED_VAR_NAME. */
export function nameOf(variable: NamedVariable, key: string): string {
  if (variable.qualified) return key
  return variable.keyed ? `${variable.name}:${key}` : variable.name
}
