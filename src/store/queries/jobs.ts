import { type Cipher, CipherError } from '../../kit/cipher.ts'
import type { AuditEntry, JobHealth, LogpushJob } from '../../model/resource.ts'
import type { Gate, Tx } from '../gate.ts'
import { type Store, StoreError } from '../port.ts'
import type { JobRow } from '../schema.ts'
import { writeAudit } from './audit.ts'
import { announce, nextOf } from './changes.ts'
import { ownerColumn, ownerColumns, ownerOf } from './owner.ts'

type Settings = Omit<
  LogpushJob,
  keyof JobHealth | 'id' | 'scope' | 'enabled' | 'revision' | 'destinationConf'
>

export function jobQueries(gate: Gate, cipher: Cipher): Store['jobs'] {
  return {
    list: scope =>
      gate.read(async db => {
        const rows = await db
          .selectFrom('jobs')
          .selectAll()
          .where(ownerColumn(scope), '=', scope.id)
          .orderBy('id')
          .execute()
        return rows.map(row => jobOf(row, cipher))
      }),
    listEnabled: () =>
      gate.read(async db => {
        const rows = await db.selectFrom('jobs').selectAll().where('enabled', '=', 1).orderBy('id').execute()
        return rows.map(row => jobOf(row, cipher))
      }),
    get: (scope, id) =>
      gate.read(async db => {
        const row = await db
          .selectFrom('jobs')
          .selectAll()
          .where('id', '=', id)
          .where(ownerColumn(scope), '=', scope.id)
          .executeTakeFirst()
        return row && jobOf(row, cipher)
      }),
    insert: (job, audit) => gate.write(tx => insertJob(tx, cipher, job, audit)),
    update: (job, audit) => gate.write(tx => updateJob(tx, cipher, job, audit)),
    delete: (scope, id, audit) =>
      gate.write(async tx => {
        const result = await tx
          .deleteFrom('jobs')
          .where('id', '=', id)
          .where(ownerColumn(scope), '=', scope.id)
          .executeTakeFirst()
        if (result.numDeletedRows === 0n) return false
        await announce(tx, 'logpush', scope.id)
        await writeAudit(tx, audit)
        return true
      }),
    report: (id, health) =>
      gate.write(async tx => {
        await tx
          .updateTable('jobs')
          .set({ health: healthText(health) })
          .where('id', '=', id)
          .execute()
      }),
  }
}

async function insertJob(
  tx: Tx,
  cipher: Cipher,
  job: Omit<LogpushJob, 'id'>,
  audit: ((job: LogpushJob) => AuditEntry) | undefined,
): Promise<LogpushJob> {
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

async function updateJob(
  tx: Tx,
  cipher: Cipher,
  job: LogpushJob,
  audit: AuditEntry | undefined,
): Promise<void> {
  const result = await tx
    .updateTable('jobs')
    .set(eb => ({ ...writtenColumns(job, cipher), revision: eb('revision', '+', 1) }))
    .where('id', '=', job.id)
    .where(ownerColumn(job.scope), '=', job.scope.id)
    .executeTakeFirst()
  if (result.numUpdatedRows === 0n) throw new StoreError('stale', `job ${job.id} is gone`)
  await announce(tx, 'logpush', job.scope.id)
  await writeAudit(tx, audit)
}

/** What a person writes. */
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

function healthText({ lastComplete, lastError, errorMessage, paused }: JobHealth): string {
  return JSON.stringify({ lastComplete, lastError, errorMessage, paused })
}

function jobOf(row: JobRow, cipher: Cipher): LogpushJob {
  return {
    id: row.id,
    scope: ownerOf(row),
    enabled: row.enabled === 1,
    revision: row.revision,
    destinationConf: opened(row, cipher),
    ...(JSON.parse(row.settings) as Settings),
    ...(JSON.parse(row.health) as JobHealth),
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
