import { userInfo } from 'node:os'
import { databaseIsMissing, openStore, type SystemAudit, systemAudit } from '../app/index.ts'
import type { Settings } from '../model/settings/index.ts'
import type { Store } from '../store/index.ts'

/**
 * Opens the database for one command. Works beside a running server, and never changes the schema: a server of another
 * version may be using it.
 * @param command for the audit trail, such as `sluice zones add`
 */
export async function withStore(
  settings: Settings,
  command: string,
  work: (store: Store, audit: SystemAudit) => Promise<void>,
): Promise<void> {
  if (databaseIsMissing(settings))
    throw new Error(
      `there is no database in ${settings.data} yet: start Sluice once (\`npx sluice serve\`), or create it with \`npx sluice db migrate\``,
    )
  const store = await openStore(settings, false)
  try {
    await work(store, await cliAudit(store, command))
  } finally {
    await store.close()
  }
}

/** Attributes the command's changes to the user of this machine. */
export function cliAudit(store: Store, command: string): Promise<SystemAudit> {
  return systemAudit(store, { id: `cli:${userName()}`, means: 'CLI', command })
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // The user id has no entry in the list of users, as in containers.
    return String(process.getuid?.() ?? '')
  }
}
