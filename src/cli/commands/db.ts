import { mkdir } from 'node:fs/promises'
import { databaseIsMissing, openStore } from '../../app/index.ts'
import type { Settings } from '../../model/settings/index.ts'
import { schemaNumber } from '../../store/index.ts'
import { parseCommandLine, UsageError } from '../usage.ts'
import { cliAudit } from '../with-store.ts'

/** The output of `sluice db --help`. */
export const dbHelp = `sluice db: the database

  sluice db migrate
      Creates the database, or migrates its schema to this version. \`sluice serve\` with the control role does the same
      at the start; no other command does. A migration cannot be undone: copy the database first.

Settings as for \`sluice serve\`: --data, --database-url, --secret-key.`

/** `sluice db migrate`. */
export async function dbCommand(commandLine: readonly string[]): Promise<void> {
  const { words, settings } = parseCommandLine(commandLine)
  if (words.length !== 1 || words[0] !== 'migrate') throw new UsageError('use `sluice db migrate`')
  if (await isUpToDate(settings)) {
    console.log(`the database is at schema ${schemaNumber} already`)
    return
  }
  await mkdir(settings.data, { recursive: true, mode: 0o700 })
  const store = await openStore(settings, true)
  try {
    // An empty database has no account yet for an entry of the trail.
    if ((await store.accounts.list()).length > 0) {
      const { entry } = await cliAudit(store, 'sluice db migrate')
      const resource = { kind: 'database', id: 'schema' }
      await store.audit.insert(
        entry({ action: 'update', resource, before: null, after: { schema: schemaNumber } }),
      )
    }
  } finally {
    await store.close()
  }
  console.log(`the database is at schema ${schemaNumber}`)
}

/** Any other fault is reported by the migration. */
async function isUpToDate(settings: Settings): Promise<boolean> {
  if (databaseIsMissing(settings)) return false
  try {
    await (await openStore(settings, false)).close()
    return true
  } catch {
    return false
  }
}
