import type { RecordStore } from './port.ts'

/** A store that is opened when it is first used, so that a process without records takes no memory for its engine. */
export function openWhenUsed(open: () => Promise<RecordStore>): RecordStore {
  let opened: Promise<RecordStore> | undefined
  const store = () => {
    opened ??= open().catch(error => {
      // The next use tries again.
      opened = undefined
      throw error
    })
    return opened
  }
  return {
    position: async partition => (await store()).position(partition),
    append: async batch => (await store()).append(batch),
    rows: async query => (await store()).rows(query),
    exportRows: async (selection, path) => (await store()).exportRows(selection, path),
    removeBefore: async ms => (await store()).removeBefore(ms),
    expire: async ms => (await store()).expire(ms),
    usedBytes: async () => (await store()).usedBytes(),
    close: async () => (await opened?.catch(() => undefined))?.close(),
  }
}
