/** Where the two dialects differ; everything else is shared. */
export interface Dialect {
  /** Does `.` match a line feed at the start? */
  readonly dotAll: boolean
  /** Look-around, back-references, atomic groups and possessive quantifiers. */
  readonly irregular: boolean
  /** `[a-z&&[^aeiou]]`, `--`, `~~` and classes within classes. */
  readonly setOperations: boolean
  /** Is an escaped letter that means nothing that letter, and a lone `{` a brace? Else they are errors. */
  readonly lenient: boolean
  /** Letters after `(?` that may be switched. */
  readonly flags: string
  /** Escapes of one letter that this dialect does not have. */
  readonly missingEscapes: string
}

export const dialects: Readonly<Record<'pcre' | 'rust', Dialect>> = {
  // As ModSecurity v2 compiles patterns: DOTALL and DOLLAR_ENDONLY.
  pcre: {
    dotAll: true,
    irregular: true,
    setOperations: false,
    lenient: true,
    flags: 'imsx',
    missingEscapes: '<>',
  },
  rust: {
    dotAll: false,
    irregular: false,
    setOperations: true,
    lenient: false,
    flags: 'imsxU',
    missingEscapes: 'ZeEGhHKNQRV',
  },
}
