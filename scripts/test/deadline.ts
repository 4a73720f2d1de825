import { basename } from 'node:path'

/**
 * Loaded into each process of `npm test`: ends one that is not done in time, because a server or a process that a failed
 * test left open would keep it, and the whole run, from ending. Says what is open still.
 */
export const patienceMs = 900_000

setTimeout(() => {
  const open = [...new Set(process.getActiveResourcesInfo())].join(', ')
  console.error(
    `${basename(process.argv[1] ?? '')} is not done after ${patienceMs / 60_000} minutes; open still: ${open}`,
  )
  process.exit(1)
}, patienceMs).unref()
