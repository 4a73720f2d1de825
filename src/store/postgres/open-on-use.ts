import type { openPostgresStore as open } from './open.ts'

/** As in `open.ts`. Its client library takes time and memory of each thread, so it is loaded with the first use. */
export const openPostgresStore: typeof open = async (...input) =>
  (await import('./open.ts')).openPostgresStore(...input)
