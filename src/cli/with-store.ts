import { mkdir } from 'node:fs/promises'
import { openStore } from '../app/index.ts'
import type { Settings } from '../model/settings.ts'
import type { Store } from '../store/index.ts'

/** Opens the database for one command. Works beside a running server. */
export async function withStore(settings: Settings, work: (store: Store) => Promise<void>): Promise<void> {
  await mkdir(settings.data, { recursive: true, mode: 0o700 })
  const store = await openStore(settings, true)
  try {
    await work(store)
  } finally {
    await store.close()
  }
}
