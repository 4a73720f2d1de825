/** Oddities of a multipart body for a strict reader; each is the variable MULTIPART_… of the same name. */
export interface MultipartFlags {
  boundaryQuoted: boolean
  boundaryWhitespace: boolean
  /** Anything before the first boundary. */
  dataBefore: boolean
  /** Anything after the line of the last boundary, an empty line included. */
  dataAfter: boolean
  headerFolding: boolean
  /** A boundary or header line that ends in a bare LF. */
  lfLine: boolean
  /** No `;` between the media type and the boundary. */
  missingSemicolon: boolean
  /** Single quotes around a parameter, or a misplaced quote. */
  invalidQuoting: boolean
  /** A part with headers that do not end before the next boundary. */
  invalidPart: boolean
  /** A folded line that begins with white space other than a blank or a tab. */
  invalidHeaderFolding: boolean
  fileLimitExceeded: boolean
}

export function noFlags(): MultipartFlags {
  return {
    boundaryQuoted: false,
    boundaryWhitespace: false,
    dataBefore: false,
    dataAfter: false,
    headerFolding: false,
    lfLine: false,
    missingSemicolon: false,
    invalidQuoting: false,
    invalidPart: false,
    invalidHeaderFolding: false,
    fileLimitExceeded: false,
  }
}
