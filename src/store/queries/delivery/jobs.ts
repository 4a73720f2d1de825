import { type Cipher, CipherError } from '../../../kit/cipher.ts'
import type { AuditEntry, JobHealth, LogpushJob, Scope } from '../../../model/resource.ts'
import { jobLimits } from '../../limits.ts'
import { StoreError } from '../../port/error.ts'
import type { Store } from '../../port.ts'
import type { JobRow } from '../../schema.ts'
import type { Transactions, Tx } from '../../transactions.ts'
import { writeAudit } from '../audit.ts'
import { announce, nextOf } from '../changes.ts'
import { ownerColumn, ownerColumns, ownerOf } from '../owner.ts'
import { jobRow, ownerRow } from '../write-locks.ts'
import { healthOf, healthText, partText } from './health.ts'
import { forgetRuns } from './runs.ts'

type Settings = Omit<
  LogpushJob,
  keyof JobHealth | 'id' | 'scope' | 'enabled' | 'revision' | 'destinationConf'
>

export function jobQueries(transactions: Transactions, cipher: Cipher): Store['jobs'] {
  return {
    list: scope =>
      transactions.read(async db => {
        const rows = await db
          .selectFrom('jobs')
          .selectAll()
          .where(ownerColumn(scope), '=', scope.id)
          .orderBy('id')
          .execute()
        return rows.map(row => jobOf(row, cipher))
      }),
    listOfAccount: accountId =>
      transactions.read(async db => {
        const rows = await db
          .selectFrom('jobs')
          .selectAll()
          .where(({ eb, selectFrom }) =>
            eb.or([
              eb('account_id', '=', accountId),
              eb(
                'zone_id',
                'in',
                selectFrom('zones').select('zones.id').where('zones.account_id', '=', accountId),
              ),
            ]),
          )
          .orderBy('id')
          .execute()
        return rows.map(row => jobOf(row, cipher))
      }),
    listEnabled: () =>
      transactions.read(async db => {
        const rows = await db.selectFrom('jobs').selectAll().where('enabled', '=', 1).orderBy('id').execute()
        return rows.map(row => jobOf(row, cipher))
      }),
    get: (scope, id) =>
      transactions.read(async db => {
        const row = await db
          .selectFrom('jobs')
          .selectAll()
          .where('id', '=', id)
          .where(ownerColumn(scope), '=', scope.id)
          .executeTakeFirst()
        return row && jobOf(row, cipher)
      }),
    insert: (job, audit) => transactions.write(ownerRow(job.scope), tx => insertJob(tx, cipher, job, audit)),
    update: (job, audit) => transactions.write(jobRow(job.id), tx => updateJob(tx, cipher, job, audit)),
    delete: (scope, id, audit, revision) =>
      transactions.write(jobRow(id), async tx => {
        let query = tx.deleteFrom('jobs').where('id', '=', id).where(ownerColumn(scope), '=', scope.id)
        if (revision !== undefined) query = query.where('revision', '=', revision)
        const { numDeletedRows } = await query.executeTakeFirst()
        if (numDeletedRows === 0n && revision !== undefined) throw staleJob(id, revision)
        if (numDeletedRows === 0n) return false
        await announce(tx, 'logpush', scope.id)
        await writeAudit(tx, audit)
        return true
      }),
    report: (id, health, part) =>
      transactions.write(part === undefined ? 'nothing' : jobRow(id), async tx => {
        const text = part === undefined ? healthText(health) : await partText(tx, id, part, health)
        await tx.updateTable('jobs').set({ health: text }).where('id', '=', id).execute()
      }),
  }
}

async function insertJob(
  tx: Tx,
  cipher: Cipher,
  job: Omit<LogpushJob, 'id'>,
  audit: ((job: LogpushJob) => AuditEntry) | undefined,
): Promise<LogpushJob> {
  await requireFew(tx, job.scope)
  const made: LogpushJob = { ...job, id: await nextOf(tx, 'job') }
  await tx
    .insertInto('jobs')
    .values({
      id: made.id,
      ...ownerColumns(made.scope),
      revision: made.revision,
      health: healthText(made),
      ...writtenColumns(made, cipher),
    })
    .execute()
  await announce(tx, 'logpush', made.scope.id)
  await writeAudit(tx, audit?.(made))
  return made
}

async function requireFew(tx: Tx, scope: Scope): Promise<void> {
  const { count } = await tx
    .selectFrom('jobs')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where(ownerColumn(scope), '=', scope.id)
    .executeTakeFirstOrThrow()
  const max = scope.kind === 'zone' ? jobLimits.jobsPerZoneMax : jobLimits.jobsPerAccountMax
  if (count >= max) throw new StoreError('full', `${scope.kind} ${scope.id} has ${count} jobs`)
}

async function updateJob(
  tx: Tx,
  cipher: Cipher,
  job: LogpushJob,
  audit: AuditEntry | undefined,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('jobs')
    .set({ ...writtenColumns(job, cipher), revision: job.revision + 1 })
    .where('id', '=', job.id)
    .where(ownerColumn(job.scope), '=', job.scope.id)
    .where('revision', '=', job.revision)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw staleJob(job.id, job.revision)
  if (!job.enabled) await forgetRuns(tx, job.id)
  await announce(tx, 'logpush', job.scope.id)
  await writeAudit(tx, audit)
}

function staleJob(id: number, revision: number): StoreError {
  return new StoreError('stale', `job ${id} is not at revision ${revision} any more`)
}

/** The columns that an edit changes. */
function writtenColumns(
  job: LogpushJob,
  cipher: Cipher,
): Pick<JobRow, 'enabled' | 'destination' | 'settings'> {
  const { id, scope, enabled, revision, destinationConf, ...rest } = job
  const { lastComplete, lastError, errorMessage, paused, ...settings } = rest
  return {
    enabled: enabled ? 1 : 0,
    destination: cipher.seal(destinationConf),
    settings: JSON.stringify(settings satisfies Settings),
  }
}

function jobOf(row: JobRow, cipher: Cipher): LogpushJob {
  return {
    id: row.id,
    scope: ownerOf(row),
    enabled: row.enabled === 1,
    revision: row.revision,
    destinationConf: opened(row, cipher),
    ...(JSON.parse(row.settings) as Settings),
    ...healthOf(row.health),
  }
}

function opened({ id, destination }: JobRow, cipher: Cipher): string {
  try {
    return cipher.open(destination)
  } catch (error) {
    if (!(error instanceof CipherError)) throw error
    throw new StoreError('unavailable', `the destination of job ${id} cannot be decrypted`, { cause: error })
  }
}
