import { mkdir } from 'node:fs/promises'
import { databaseIsMissing, installedCipher, openDatabase, openStore } from '../../app/index.ts'
import type { Settings } from '../../model/settings/index.ts'
import { checkDatabase, copyDatabase, schemaNumber } from '../../store/index.ts'
import { parseCommandLine, UsageError } from '../usage.ts'
import { cliAudit } from '../with-store.ts'

/** The output of `sluice db --help`. */
export const dbHelp = `sluice db: the database

  sluice db migrate
      Creates the database, or migrates its schema to this version. \`sluice serve\` with the control role does the same
      at the start; no other command does. A migration cannot be undone: copy the database first.

  sluice db check
      Looks for faults: the schema, the key, damage, rows whose parent is missing, values that cannot be decrypted, counters.
      Says what to do about each, and ends with status 1 if there is one. Changes nothing, and works beside a running
      server.

  sluice db copy --from ADDRESS --to ADDRESS
      Copies everything to an empty database, in one transaction, and checks the counts. An address is sqlite:PATH (the
      file or its data directory) or postgres://user:password@host:port/database. PGPASSWORD keeps the password out of the
      list of processes. Stop Sluice before: work that goes on is not copied. Both databases have the same --secret-key.

Settings as for \`sluice serve\`: --data, --database-url, --secret-key.`

/** `sluice db`. */
export async function dbCommand(commandLine: readonly string[]): Promise<void> {
  const { words, flags, settings } = parseCommandLine(commandLine, ['from', 'to'])
  const command = words.join(' ')
  if (command !== 'copy' && flags.size > 0) throw new UsageError('--from and --to are for `sluice db copy`')
  if (command === 'migrate') await migrateCommand(settings)
  else if (command === 'check') await checkCommand(settings)
  else if (command === 'copy') await copyCommand(settings, flags)
  else
    throw new UsageError('use `sluice db migrate`, `sluice db check` or `sluice db copy`', { command: 'db' })
}

async function migrateCommand(settings: Settings): Promise<void> {
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

async function checkCommand(settings: Settings): Promise<void> {
  const cipher = await installedCipher(settings)
  const database = await openDatabase(settings, undefined)
  try {
    const problems = await checkDatabase(database, cipher)
    for (const { found, remedy } of problems) console.log(`${found}\n  → ${remedy}`)
    if (problems.length === 0) console.log(`no faults; the database is at schema ${schemaNumber}`)
    else process.exitCode = 1
  } finally {
    await database.close()
  }
}

async function copyCommand(settings: Settings, flags: ReadonlyMap<string, string>): Promise<void> {
  const [source, target] = [flags.get('from'), flags.get('to')]
  if (source === undefined || target === undefined)
    throw new UsageError('use `sluice db copy --from ADDRESS --to ADDRESS`', { command: 'db' })
  const cipher = await installedCipher(settings)
  const from = await openDatabase(settings, source)
  try {
    const to = await openDatabase(settings, target, true)
    try {
      const counts = [...(await copyDatabase(from, to, cipher)).values()]
      const rows = counts.reduce((sum, count) => sum + count, 0)
      console.log(`${rows} rows of ${counts.length} tables were copied, and their counts are the same`)
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
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
