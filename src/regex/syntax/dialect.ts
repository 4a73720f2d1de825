import type { Assertion } from './ast.ts'

/** The differences of the two dialects; the rest is shared. */
export interface Dialect {
  /** Whether `.` matches a line feed at the start. */
  readonly dotAll: boolean
  /** The meaning of `^` after `(?m)`. */
  readonly lineStart: Assertion
  /** Look-around, back-references, atomic groups, possessive quantifiers, `\Q…\E` and comments. */
  readonly perl: boolean
  /** `[a-z&&[^aeiou]]`, `--`, `~~`, classes within classes, and ignored white space in classes. */
  readonly setOperations: boolean
  /** Whether an escaped letter without meaning is that letter, and a lone `{` a brace. Else they are errors. */
  readonly lenient: boolean
  /** Whether the pattern is UTF-8, so that bytes above 0x7F belong to characters of several bytes. */
  readonly utf8: boolean
  /** Escapes with a meaning only in the other dialect. */
  readonly missingEscapes: string
}

export const dialects: Readonly<Record<'pcre' | 'rust', Dialect>> = {
  // As ModSecurity v2 compiles patterns: DOTALL and DOLLAR_ENDONLY, no UTF mode.
  pcre: {
    dotAll: true,
    lineStart: 'line-start-inside',
    perl: true,
    setOperations: false,
    lenient: true,
    utf8: false,
    missingEscapes: '<>',
  },
  rust: {
    dotAll: false,
    lineStart: 'line-start',
    perl: false,
    setOperations: true,
    lenient: false,
    utf8: true,
    missingEscapes: 'ZeEgGhHkKNoQRVcClLX',
  },
}
