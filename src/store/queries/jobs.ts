import type { AuditEntry, LogpushJob } from '../../model/resource.ts'
import type { Gate, Tx } from '../gate.ts'
import { type Store, StoreError } from '../port.ts'
import type { JobRow } from '../schema.ts'
import { writeAudit } from './audit.ts'
import { announce, nextOf } from './changes.ts'

type Health = Pick<LogpushJob, 'lastComplete' | 'lastError' | 'errorMessage'>
type Settings = Omit<LogpushJob, keyof Health | 'id' | 'zoneId' | 'enabled'>

export function jobQueries(gate: Gate): Store['jobs'] {
  return {
    list: zoneId =>
      gate.read(async db => {
        const rows = await db
          .selectFrom('jobs')
          .selectAll()
          .where('zone_id', '=', zoneId)
          .orderBy('id')
          .execute()
        return rows.map(jobOf)
      }),
    listEnabled: () =>
      gate.read(async db => {
        const rows = await db.selectFrom('jobs').selectAll().where('enabled', '=', 1).orderBy('id').execute()
        return rows.map(jobOf)
      }),
    get: (zoneId, id) =>
      gate.read(async db => {
        const row = await db
          .selectFrom('jobs')
          .selectAll()
          .where('id', '=', id)
          .where('zone_id', '=', zoneId)
          .executeTakeFirst()
        return row && jobOf(row)
      }),
    insert: (job, audit) => gate.write(tx => insertJob(tx, job, audit)),
    update: (job, audit) => gate.write(tx => updateJob(tx, job, audit)),
    delete: (zoneId, id, audit) =>
      gate.write(async tx => {
        const result = await tx
          .deleteFrom('jobs')
          .where('id', '=', id)
          .where('zone_id', '=', zoneId)
          .executeTakeFirst()
        if (result.numDeletedRows === 0n) return false
        await announce(tx, 'logpush', zoneId)
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
  job: Omit<LogpushJob, 'id'>,
  audit: ((job: LogpushJob) => AuditEntry) | undefined,
): Promise<LogpushJob> {
  const made: LogpushJob = { ...job, id: await nextOf(tx, 'job') }
  await tx
    .insertInto('jobs')
    .values({
      id: made.id,
      zone_id: made.zoneId,
      enabled: made.enabled ? 1 : 0,
      settings: settingsText(made),
      health: healthText(made),
    })
    .execute()
  await announce(tx, 'logpush', made.zoneId)
  await writeAudit(tx, audit?.(made))
  return made
}

async function updateJob(tx: Tx, job: LogpushJob, audit: AuditEntry | undefined): Promise<void> {
  const result = await tx
    .updateTable('jobs')
    .set({ enabled: job.enabled ? 1 : 0, settings: settingsText(job) })
    .where('id', '=', job.id)
    .where('zone_id', '=', job.zoneId)
    .executeTakeFirst()
  if (result.numUpdatedRows === 0n) throw new StoreError('stale', `job ${job.id} is gone`)
  await announce(tx, 'logpush', job.zoneId)
  await writeAudit(tx, audit)
}

function settingsText(job: LogpushJob): string {
  const { id, zoneId, enabled, lastComplete, lastError, errorMessage, ...settings } = job
  return JSON.stringify(settings satisfies Settings)
}

function healthText({ lastComplete, lastError, errorMessage }: Health): string {
  return JSON.stringify({ lastComplete, lastError, errorMessage })
}

function jobOf(row: JobRow): LogpushJob {
  return {
    id: row.id,
    zoneId: row.zone_id,
    enabled: row.enabled === 1,
    ...(JSON.parse(row.settings) as Settings),
    ...(JSON.parse(row.health) as Health),
  }
}
