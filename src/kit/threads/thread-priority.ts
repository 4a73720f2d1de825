import { constants, setPriority } from 'node:os'

/**
 * Lets other threads of the machine have the processor before the calling one, for work that may come later.
 * On Linux a priority belongs to a thread. Elsewhere it would slow the whole process, so nothing happens.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // A sandbox forbids it (systemd: `SystemCallFilter=~@resources`). The thread then runs as any other.
  }
}
