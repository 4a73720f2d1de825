import type { Assertion } from './ast.ts'

/** Where the two dialects differ; everything else is shared. */
export interface Dialect {
  /** Does `.` match a line feed at the start? */
  readonly dotAll: boolean
  /** What `^` means after `(?m)`. */
  readonly lineStart: Assertion
  /** Look-around, back-references, atomic groups, possessive quantifiers, `\Q…\E` and comments. */
  readonly perl: boolean
  /** `[a-z&&[^aeiou]]`, `--`, `~~`, classes within classes, and ignored white space in classes. */
  readonly setOperations: boolean
  /** Is an escaped letter that means nothing that letter, and a lone `{` a brace? Else they are errors. */
  readonly lenient: boolean
  /** Is the pattern UTF-8, so that bytes above 0x7F belong to characters of several bytes? */
  readonly utf8: boolean
  /** Escapes that mean something in the other dialect only. */
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
