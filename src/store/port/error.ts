/** The database refused a call, or is not reachable. */
export class StoreError extends Error {
  /**
   * `conflict`: a unique or foreign key was violated. `stale`: the resource was changed since it was read, or is
   * gone. `full`: the limit would be exceeded. `fenced`: another process has taken over this work. `newer`: a newer
   * program has migrated the database, and this one cannot use it.
   */
  readonly code: 'conflict' | 'stale' | 'full' | 'unavailable' | 'fenced' | 'newer'
  constructor(code: StoreError['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StoreError'
    this.code = code
  }
}
