import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A build that no process has marked as used for this long is removed. */
const staleMs = 14 * 24 * 3600 * 1000
/** A build takes seconds: what is older has been left by one that was killed. */
const unfinishedMs = 3600 * 1000

/**
 * Removes old builds and what killed builds have left. Keeps the newest build in any case: a process that runs it may have
 * been asleep for longer.
 * @param kept folder of builds, named by their hash; unfinished ones have a dot in their name
 */
export function removeStaleBuilds(kept: string): void {
  const found = readdirSync(kept).map(name => ({ name, ageMs: ageMs(join(kept, name)) }))
  const [, ...older] = found.filter(({ name }) => !name.includes('.')).sort((a, b) => a.ageMs - b.ageMs)
  const unfinished = found.filter(({ name }) => name.includes('.'))
  for (const { name } of [
    ...older.filter(build => build.ageMs > staleMs),
    ...unfinished.filter(build => build.ageMs > unfinishedMs),
  ])
    rmSync(join(kept, name), { recursive: true, force: true })
}

/** Zero if another start has just renamed it. */
function ageMs(path: string): number {
  const now = Date.now()
  return now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now)
}
