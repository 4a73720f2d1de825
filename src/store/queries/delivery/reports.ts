import type {
  Cursors,
  DeliveryCount,
  DeliveryLag,
  ManifestObject,
  MissingRecords,
} from '../../port/delivery.ts'
import type { Store } from '../../port.ts'
import type { DeliveryCountRow, ManifestObjectRow } from '../../schema.ts'
import type { Transactions, Tx } from '../../transactions.ts'
import { parts } from '../parts.ts'
import { jobRow, jobRows } from '../write-locks.ts'
import { requireLease } from './leases.ts'

type ReportQueries = Pick<
  Store['delivery'],
  | 'manifestHours'
  | 'manifestObjects'
  | 'closeManifest'
  | 'count'
  | 'counts'
  | 'raiseLags'
  | 'lags'
  | 'forgetHours'
>

/** Results and lags of deliveries. */
export function deliveryReportQueries(transactions: Transactions): ReportQueries {
  return {
    manifestHours: (jobId, before) =>
      transactions.read(async db => {
        const rows = await db
          .selectFrom('manifest_objects')
          .select('hour')
          .distinct()
          .where('job_id', '=', jobId)
          .where('hour', '<', before)
          .orderBy('hour')
          .execute()
        return rows.map(row => row.hour)
      }),
    manifestObjects: (jobId, hour, lease) =>
      transactions.write(jobRow(jobId), async tx => {
        await requireLease(tx, lease)
        await openFrom(tx, jobId, hourAfter(hour))
        const rows = await tx
          .selectFrom('manifest_objects')
          .selectAll()
          .where('job_id', '=', jobId)
          .where('hour', '=', hour)
          .orderBy('path')
          .execute()
        return rows.map(manifestObjectOf)
      }),
    closeManifest: (jobId, hour, lease) =>
      transactions.write(jobRow(jobId), async tx => {
        await requireLease(tx, lease)
        await tx.deleteFrom('manifest_objects').where('job_id', '=', jobId).where('hour', '=', hour).execute()
      }),
    count: async counts => {
      if (counts.length > 0) await transactions.write(jobRows(counts), tx => addCounts(tx, counts))
    },
    counts: (jobId, sinceHour) =>
      transactions.read(async db => {
        const rows = await db
          .selectFrom('delivery_counts')
          .selectAll()
          .where('job_id', '=', jobId)
          .where('hour', '>=', sinceHour)
          .orderBy('hour')
          .orderBy('outcome')
          .orderBy('status')
          .execute()
        return rows.map(countOf)
      }),
    raiseLags: async lags => {
      if (lags.length > 0) await transactions.write(jobRows(lags), tx => raiseLags(tx, lags))
    },
    lags: (jobId, sinceHour) =>
      transactions.read(async db => {
        const rows = await db
          .selectFrom('delivery_lags')
          .selectAll()
          .where('job_id', '=', jobId)
          .where('hour', '>=', sinceHour)
          .orderBy('hour')
          .execute()
        return rows.map(({ hour, seconds_max }) => ({ jobId, hour, secondsMax: seconds_max }))
      }),
    forgetHours: beforeHour =>
      transactions.write('nothing', async tx => {
        await tx.deleteFrom('delivery_counts').where('hour', '<', beforeHour).execute()
        await tx.deleteFrom('delivery_lags').where('hour', '<', beforeHour).execute()
        await tx.deleteFrom('delivery_gone').where('hour', '<', beforeHour).execute()
      }),
  }
}

/** A second object at the same path replaces the first. */
export async function keepManifestObject(tx: Tx, jobId: number, object: ManifestObject): Promise<void> {
  const { path, lines, bytes, bytesCompressed, sha256 } = object
  const known = await openHour(tx, jobId)
  const hour = known !== undefined && known > object.hour ? known : object.hour
  const facts = { lines, bytes, bytes_compressed: bytesCompressed, sha256 }
  await tx
    .insertInto('manifest_objects')
    .values({ job_id: jobId, hour, path, ...facts })
    .onConflict(on => on.columns(['job_id', 'hour', 'path']).doUpdateSet(facts))
    .execute()
}

async function openHour(tx: Tx, jobId: number): Promise<string | undefined> {
  const row = await tx
    .selectFrom('manifest_hours')
    .select('open_from')
    .where('job_id', '=', jobId)
    .executeTakeFirst()
  return row?.open_from
}

/** Never decreases. */
async function openFrom(tx: Tx, jobId: number, hour: string): Promise<void> {
  const known = await openHour(tx, jobId)
  if (known !== undefined && known >= hour) return
  await tx
    .insertInto('manifest_hours')
    .values({ job_id: jobId, open_from: hour })
    .onConflict(on => on.column('job_id').doUpdateSet({ open_from: hour }))
    .execute()
}

/** In the port's form of hours. */
function hourAfter(hour: string): string {
  return `${new Date(Date.parse(hour) + 3_600_000).toISOString().slice(0, 19)}Z`
}

/** Leaves out the part up to `position`, which was counted when the run passed it. */
export function missingCounts(
  jobId: number,
  { hour, ranges }: MissingRecords,
  position: Cursors,
): readonly DeliveryCount[] {
  let lines = 0
  for (const { partition, first, last } of ranges)
    lines += Math.max(0, last - Math.max(first - 1, position.get(partition) ?? 0))
  if (lines === 0) return []
  return [{ jobId, hour, outcome: 'missing', status: '', uploads: 0, lines, bytes: 0, bytesCompressed: 0 }]
}

export async function addCounts(tx: Tx, counts: readonly DeliveryCount[]): Promise<void> {
  const known = await knownJobs(tx, counts)
  for (const rows of parts(summed(counts.filter(({ jobId }) => known.has(jobId))))) {
    await tx
      .insertInto('delivery_counts')
      .values(rows)
      .onConflict(on =>
        on.columns(['job_id', 'hour', 'outcome', 'status']).doUpdateSet(eb => ({
          uploads: eb('delivery_counts.uploads', '+', eb.ref('excluded.uploads')),
          lines: eb('delivery_counts.lines', '+', eb.ref('excluded.lines')),
          bytes: eb('delivery_counts.bytes', '+', eb.ref('excluded.bytes')),
          bytes_compressed: eb('delivery_counts.bytes_compressed', '+', eb.ref('excluded.bytes_compressed')),
        })),
      )
      .execute()
  }
}

async function raiseLags(tx: Tx, lags: readonly DeliveryLag[]): Promise<void> {
  const known = await knownJobs(tx, lags)
  for (const some of parts(lags.filter(({ jobId }) => known.has(jobId)))) {
    await tx
      .insertInto('delivery_lags')
      .values(some.map(({ jobId, hour, secondsMax }) => ({ job_id: jobId, hour, seconds_max: secondsMax })))
      .onConflict(on =>
        on
          .columns(['job_id', 'hour'])
          .doUpdateSet(eb => ({ seconds_max: eb.ref('excluded.seconds_max') }))
          .whereRef('delivery_lags.seconds_max', '<', 'excluded.seconds_max'),
      )
      .execute()
  }
}

async function knownJobs(tx: Tx, of: readonly { readonly jobId: number }[]): Promise<Set<number>> {
  const known = new Set<number>()
  for (const ids of parts([...new Set(of.map(({ jobId }) => jobId))])) {
    const rows = await tx.selectFrom('jobs').select('id').where('id', 'in', ids).execute()
    for (const { id } of rows) known.add(id)
  }
  return known
}

/** One row for each key: PostgreSQL refuses a statement that changes a row twice. */
function summed(counts: readonly DeliveryCount[]): DeliveryCountRow[] {
  const rows = new Map<string, DeliveryCountRow>()
  for (const { jobId, hour, outcome, status, uploads, lines, bytes, bytesCompressed } of counts) {
    const key = JSON.stringify([jobId, hour, outcome, status])
    const row = rows.get(key)
    if (row === undefined) {
      const sums = { uploads, lines, bytes, bytes_compressed: bytesCompressed }
      rows.set(key, { job_id: jobId, hour, outcome, status, ...sums })
      continue
    }
    row.uploads += uploads
    row.lines += lines
    row.bytes += bytes
    row.bytes_compressed += bytesCompressed
  }
  return [...rows.values()]
}

function countOf(row: DeliveryCountRow): DeliveryCount {
  return {
    jobId: row.job_id,
    hour: row.hour,
    outcome: row.outcome as DeliveryCount['outcome'],
    status: row.status,
    uploads: row.uploads,
    lines: row.lines,
    bytes: row.bytes,
    bytesCompressed: row.bytes_compressed,
  }
}

function manifestObjectOf(row: ManifestObjectRow): ManifestObject {
  return {
    hour: row.hour,
    path: row.path,
    lines: row.lines,
    bytes: row.bytes,
    bytesCompressed: row.bytes_compressed,
    sha256: row.sha256,
  }
}
