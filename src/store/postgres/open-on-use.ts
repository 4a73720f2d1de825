import type { Database } from '../maintenance/database.ts'
import type { openPostgresStore as open } from './open.ts'

/** As in `open.ts`. Its client library takes time and memory of each thread, so it is loaded with the first use. */
export const openPostgresStore: typeof open = async (...input) =>
  (await import('./open.ts')).openPostgresStore(...input)

/** As in `open.ts`. */
export async function openPostgresDatabase(url: string): Promise<Database> {
  return (await import('./open.ts')).openPostgresDatabase(url)
}
