import { join } from 'node:path'
import { lockFile } from '../../kit/lock-file.ts'
import type { Role } from '../../model/settings/index.ts'

/**
 * Makes this process the only one with these roles on a data directory. Other roles may run there in another process.
 * @param data an existing data directory
 * @returns a function that releases the roles
 * @throws if another process has one of them
 */
export async function lockRoles(data: string, roles: ReadonlySet<Role>): Promise<() => void> {
  const unlocks: (() => void)[] = []
  const unlock = () => {
    for (const end of unlocks) end()
  }
  for (const role of [...roles].sort()) {
    const lock = await lockFile(join(data, `lock-${role}`), 0)
    if (lock !== undefined) {
      unlocks.push(lock)
      continue
    }
    unlock()
    throw new Error(
      `another Sluice runs with the role ${role} on the data directory ${data}: stop it first, or give this process another data directory (SLUICE_DATA)`,
    )
  }
  return unlock
}
