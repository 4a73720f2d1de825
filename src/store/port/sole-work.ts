/** Work that one process of the installation does at a time. No change entries. */
export interface SoleWorkStore {
  /**
   * Takes work that no living process has, or keeps it, to `ms` from now by the database's clock.
   * @param owner id of the process
   * @returns whether the owner has the work
   */
  take(work: string, owner: string, ms: number): Promise<boolean>
  /** Returns work, so that another process need not wait. */
  leave(work: string, owner: string): Promise<void>
}
