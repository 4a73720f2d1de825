import type { openNatsRecordLog as open } from './record-log.ts'

/** As in `record-log.ts`. Its client library takes time and memory of each thread, so it is loaded with the first use. */
export const openNatsRecordLog: typeof open = async (...input) =>
  (await import('./record-log.ts')).openNatsRecordLog(...input)
