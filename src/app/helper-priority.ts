import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'

/** Linux gives each thread of the process a directory here, named by its number. */
const threads = '/proc/self/task'

/** Node's name for the threads on which V8 collects garbage and compiles, for all threads of the process. */
const helperName = 'node-V8Worker\n'

/**
 * V8's helpers are nicer than their process by this. On one busy core, 15 starves them: the memory grows by half, and code is
 * ready much later (docs/decisions/084-order-of-work.md).
 */
const nicerBy = 5

/**
 * Lets the threads that run JavaScript have more of a busy core than V8's helpers, which are four against one. Nothing changes
 * where a core is free. Where a priority belongs to the whole process, nothing happens.
 */
export function lowerHelperPriority(): void {
  if (process.platform !== 'linux') return
  const priority = Math.min(constants.priority.PRIORITY_LOW, getPriority() + nicerBy)
  if (!existsSync(threads)) return
  for (const thread of readdirSync(threads))
    try {
      const name = readFileSync(`${threads}/${thread}/comm`, 'latin1')
      if (name === helperName) setPriority(Number(thread), priority)
    } catch {
      // The thread has ended, or a sandbox forbids it (systemd: `SystemCallFilter=~@resources`): it then runs as any other.
    }
}
