import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { systemClock, timestampOf } from '../../kit/clock.ts'
import type { CrsFile, CrsRelease } from '../../model/resource.ts'
import type { ManagedRuleset, NewCrsRelease } from '../port/crs.ts'
import type { Store } from '../port.ts'
import type { CrsFileRow, CrsReleaseRow } from '../schema.ts'
import type { Transactions, Tx } from '../transactions.ts'
import { writeAudit } from './audit.ts'
import { announce } from './changes.ts'

export function crsQueries(transactions: Transactions): Store['crs'] {
  return {
    list: () =>
      transactions.read(async db => {
        const rows = await db.selectFrom('crs_releases').selectAll().orderBy('version').execute()
        return rows.map(releaseOf)
      }),
    active: () =>
      transactions.read(async db => {
        const row = await db.selectFrom('crs_releases').selectAll().where('active', '=', 1).executeTakeFirst()
        return row && releaseOf(row)
      }),
    byVersion: version =>
      transactions.read(async db => {
        const row = await db
          .selectFrom('crs_releases')
          .selectAll()
          .where('version', '=', version)
          .executeTakeFirst()
        return row && releaseOf(row)
      }),
    files: async version => unpackFiles(await transactions.read(db => filesOf(db, version))),
    insert: async (release, audit) => {
      const files = await packFiles(release.files)
      return transactions.write('crs_releases', async tx => {
        const { release: made } = await keepRelease(tx, release, files)
        await activate(tx, made.version)
        await writeAudit(tx, audit?.(made))
        return made
      })
    },
    keep: async (release, audit) => {
      const files = await packFiles(release.files)
      return transactions.write('crs_releases', async tx => {
        const { release: made, isNew } = await keepRelease(tx, release, files)
        if (!isNew) return made
        await announce(tx, 'crs', '')
        await writeAudit(tx, audit?.(made))
        return made
      })
    },
    activate: (version, audit) =>
      transactions.write('crs_releases', async tx => {
        if (!(await activate(tx, version))) return false
        await writeAudit(tx, audit)
        return true
      }),
    managedRulesets: version =>
      transactions.read(async db => {
        const rows = await db
          .selectFrom('crs_managed_rulesets')
          .select('document')
          .where('version', '=', version)
          .orderBy('position')
          .execute()
        return rows.map(row => JSON.parse(row.document) as ManagedRuleset)
      }),
    setup: () => transactions.read(readSetup),
    setSetup: (text, audit) =>
      transactions.write('crs_releases', async tx => {
        await writeSetup(tx, text)
        await writeAudit(tx, audit)
      }),
  }
}

/** Equal content is the same release. */
async function keepRelease(
  tx: Tx,
  release: NewCrsRelease,
  files: readonly Omit<CrsFileRow, 'version'>[],
): Promise<{ readonly release: CrsRelease; readonly isNew: boolean }> {
  const same = await tx
    .selectFrom('crs_releases')
    .selectAll()
    .where('digest', '=', release.digest)
    .executeTakeFirst()
  if (same !== undefined) return { release: releaseOf(same), isNew: false }
  const made: CrsRelease = {
    version: await nextVersion(tx),
    crsVersion: release.crsVersion,
    digest: release.digest,
    origin: release.origin,
    ...(release.releasedYear === undefined ? {} : { releasedYear: release.releasedYear }),
    importedOn: timestampOf(systemClock.nowMs()),
  }
  await tx.insertInto('crs_releases').values(releaseRow(made)).execute()
  for (const file of files) {
    await tx
      .insertInto('crs_files')
      .values({ version: made.version, ...file })
      .execute()
  }
  const rulesets = release.managedRulesets(made.version, made.importedOn)
  for (const [position, ruleset] of rulesets.entries()) {
    await tx
      .insertInto('crs_managed_rulesets')
      .values({ version: made.version, position, document: JSON.stringify(ruleset) })
      .execute()
  }
  return { release: made, isNew: true }
}

/** Releases are never deleted, so the highest version was assigned last. */
async function nextVersion(tx: Tx): Promise<number> {
  const row = await tx
    .selectFrom('crs_releases')
    .select(eb => eb.fn.max('version').as('version'))
    .executeTakeFirst()
  return (row?.version ?? 0) + 1
}

async function activate(tx: Tx, version: number): Promise<boolean> {
  const result = await tx
    .updateTable('crs_releases')
    .set({ active: 1 })
    .where('version', '=', version)
    .executeTakeFirst()
  if (result.numUpdatedRows === 0n) return false
  await tx.updateTable('crs_releases').set({ active: 0 }).where('version', '<>', version).execute()
  await announce(tx, 'crs', '')
  return true
}

async function filesOf(db: Tx, version: number): Promise<readonly CrsFileRow[]> {
  return db.selectFrom('crs_files').selectAll().where('version', '=', version).orderBy('position').execute()
}

const compress = promisify(gzip)
const decompress = promisify(gunzip)

async function packFiles(files: readonly CrsFile[]): Promise<readonly Omit<CrsFileRow, 'version'>[]> {
  const packed: Omit<CrsFileRow, 'version'>[] = []
  for (const [position, file] of files.entries()) {
    const content = await compress(Buffer.from(file.text, 'latin1'))
    packed.push({ position, name: file.name, content })
  }
  return packed
}

async function unpackFiles(rows: readonly CrsFileRow[]): Promise<readonly CrsFile[]> {
  const files: CrsFile[] = []
  for (const row of rows) {
    files.push({ name: row.name, text: (await decompress(row.content)).toString('latin1') })
  }
  return files
}

const setupName = 'crs-setup'

async function readSetup(db: Tx): Promise<string | undefined> {
  const row = await db
    .selectFrom('installation')
    .select('value')
    .where('name', '=', setupName)
    .executeTakeFirst()
  return row && (JSON.parse(row.value) as string)
}

async function writeSetup(tx: Tx, text: string | undefined): Promise<void> {
  await tx.deleteFrom('installation').where('name', '=', setupName).execute()
  if (text !== undefined) {
    await tx
      .insertInto('installation')
      .values({ name: setupName, value: JSON.stringify(text) })
      .execute()
  }
  await announce(tx, 'crs', '')
}

function releaseRow(release: CrsRelease): CrsReleaseRow {
  return {
    version: release.version,
    crs_version: release.crsVersion,
    digest: release.digest,
    origin: release.origin,
    imported_on: release.importedOn,
    active: 0,
    released_year: release.releasedYear ?? null,
  }
}

function releaseOf(row: CrsReleaseRow): CrsRelease {
  return {
    version: row.version,
    crsVersion: row.crs_version,
    digest: row.digest,
    origin: row.origin,
    ...(row.released_year === null ? {} : { releasedYear: row.released_year }),
    importedOn: row.imported_on,
  }
}
