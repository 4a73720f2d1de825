import { basename } from 'node:path'

/**
 * Loaded into each process of `npm test`: ends a process that is not done in time, and lists its open resources. A
 * server that a failed test left open would otherwise keep the whole run from ending.
 */
export const patienceMs = 900_000

setTimeout(() => {
  const open = [...new Set(process.getActiveResourcesInfo())].join(', ')
  console.error(
    `${basename(process.argv[1] ?? '')} is not done after ${patienceMs / 60_000} minutes; open still: ${open}`,
  )
  process.exit(1)
}, patienceMs).unref()
