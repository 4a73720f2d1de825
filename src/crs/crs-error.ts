import { type Diagnostic, formatDiagnostic } from '../kit/diagnostic.ts'

export type CrsErrorCode =
  /** No such file or directory, or it cannot be read. */
  | 'not-found'
  /** It is there, but it is no CRS release. */
  | 'not-a-release'
  /** A limit of `crsLimits` is exceeded. */
  | 'too-large'
  /** A server did not answer, or not with what was asked for. */
  | 'download-failed'
  /** Signature, key or checksum are not those of the CRS project. */
  | 'not-authentic'
  /** The package manager is absent or does not have the package. */
  | 'package-unavailable'
  /** No source of releases is left. */
  | 'unavailable'
  /** The rules do not compile; see `diagnostics`. */
  | 'does-not-compile'
  /** No release of that version was imported. */
  | 'unknown-release'

/** A CRS release could not be obtained or used. The message says what to do. */
export class CrsError extends Error {
  readonly code: CrsErrorCode
  /** The faults of the rules, for `does-not-compile`. */
  readonly diagnostics: readonly Diagnostic[]

  constructor(code: CrsErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CrsError'
    this.code = code
    this.diagnostics = []
  }

  /** @param what what the rules belong to, for people */
  static fromDiagnostics(what: string, diagnostics: readonly Diagnostic[]): CrsError {
    const shown = diagnostics.slice(0, 5).map(formatDiagnostic)
    const more = diagnostics.length > shown.length ? [`and ${diagnostics.length - shown.length} more`] : []
    const message = [`${what} does not compile; the running rules stay`, ...shown, ...more].join('\n  ')
    return Object.assign(new CrsError('does-not-compile', message), { diagnostics })
  }

  static unknownRelease(version: number): CrsError {
    const message = `no CRS release was imported as version ${version}; "sluice crs list" shows the imported releases`
    return new CrsError('unknown-release', message)
  }
}
