import type { AuditEntry, List, ListItem, ListOperation, Ruleset } from '../../model/resource.ts'
import type { Revised } from './basis.ts'

export interface ListStore {
  /** Lists of an account, oldest first. */
  list(accountId: string): Promise<readonly Revised<List>[]>
  get(accountId: string, id: string): Promise<Revised<List> | undefined>
  /** @throws StoreError `conflict` when the account has a list of this name, `full` when it has too many */
  insert(list: List, audit?: AuditEntry): Promise<void>
  /**
   * Stores name and description. @throws StoreError `stale` when they were changed since they were read, or the list
   * is gone
   */
  update(list: Revised<List>, audit?: AuditEntry): Promise<void>
  /**
   * Deletes the list with its items.
   * @param requireUnused throws when one of these rulesets, which may name a list, names it; the list is then kept
   * @param revision required revision; absent: any
   * @throws StoreError `stale` when there is none of that revision
   */
  delete(
    accountId: string,
    id: string,
    audit?: AuditEntry,
    requireUnused?: (naming: readonly Ruleset[]) => void,
    revision?: number,
  ): Promise<boolean>
  /** Items in the order of their addition. @param after id of the last item of the previous page */
  items(
    listId: string,
    page: { readonly after?: string; readonly limit: number; readonly search?: string },
  ): Promise<readonly ListItem[]>
  item(listId: string, id: string): Promise<ListItem | undefined>
  /** Content of every item, for the edge. */
  contents(listId: string): Promise<readonly ListItem['content'][]>
  /**
   * Adds items; an item with a known identity gets the new content and keeps its id. `replace` removes all others.
   * Updates the list's modification time and number of items.
   * @throws StoreError `stale` when the list is gone, `conflict` when it would have too many items
   */
  putItems(list: List, items: readonly ListItem[], replace: boolean, audit?: AuditEntry): Promise<void>
  deleteItems(list: List, ids: readonly string[], audit?: AuditEntry): Promise<void>
  operation(accountId: string, id: string): Promise<ListOperation | undefined>
  /** Inserts or replaces an operation. */
  putOperation(operation: ListOperation): Promise<void>
  /** Unfinished operations of every account and process. */
  openOperations(): Promise<readonly OpenOperation[]>
  /** Records that the process which runs these operations is alive. */
  beatOperations(ids: readonly string[]): Promise<void>
  /** Fails an unfinished operation whose process has not recorded a sign of life since. */
  failOperation(open: OpenOperation, error: string, at: string): Promise<void>
}

/** An unfinished list operation; `beats` increases while its process is alive. */
export interface OpenOperation {
  readonly id: string
  readonly beats: number
}
