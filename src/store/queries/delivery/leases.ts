import { sql } from 'kysely'
import type { DeliveryProcess, Lease } from '../../port/delivery.ts'
import { StoreError } from '../../port/error.ts'
import type { Store } from '../../port.ts'
import type { Transactions, Tx } from '../../transactions.ts'
import { parts } from '../parts.ts'
import { jobRows } from '../write-locks.ts'

export function leaseQueries(transactions: Transactions): Store['leases'] {
  return {
    beat: (process, ms, first) =>
      transactions.write('nothing', async tx => {
        const nowMs = await transactions.nowMs(tx)
        await forgetDead(tx, process, nowMs, ms, first)
        const row = { place: process.location, log: process.log, until_ms: nowMs + ms }
        await tx
          .insertInto('delivery_processes')
          .values({ id: process.id, ...row })
          .onConflict(on => on.column('id').doUpdateSet(row))
          .execute()
        const live = await tx
          .selectFrom('delivery_processes')
          .select(['id', 'place as location', 'log'])
          .orderBy('id')
          .execute()
        return { live, held: await leasesOf(tx, process.id) }
      }),
    take: (owner, wanted) =>
      transactions.write(jobRows(wanted), async tx => {
        const nowMs = await transactions.nowMs(tx)
        for (const some of parts(wanted)) await take(tx, owner, some, nowMs)
        return leasesOf(tx, owner)
      }),
    release: (owner, leases) =>
      transactions.write(jobRows(leases), async tx => {
        for (const { jobId, log, fence } of leases)
          await tx
            .updateTable('delivery_leases')
            .set({ owner: '' })
            .where('job_id', '=', jobId)
            .where('log', '=', log)
            .where('owner', '=', owner)
            .where('fence', '=', fence)
            .execute()
      }),
    leave: id =>
      transactions.write('nothing', async tx => {
        await tx.deleteFrom('delivery_processes').where('id', '=', id).execute()
      }),
  }
}

/** An end later than any beat sets it comes from a clock that has since been set back. */
async function forgetDead(
  tx: Tx,
  { id, location }: DeliveryProcess,
  nowMs: number,
  ms: number,
  first: boolean,
): Promise<void> {
  const dead = await tx
    .deleteFrom('delivery_processes')
    .where('id', '!=', id)
    .where(eb =>
      eb.or([
        eb('until_ms', '<', nowMs),
        eb('until_ms', '>', nowMs + 2 * ms),
        ...(first ? [eb('place', '=', location)] : []),
      ]),
    )
    .returning('id')
    .execute()
  if (dead.length === 0) return
  // It is fenced from here on, also where no process takes the same lease: one version's leases are of a whole log,
  // and another's of its parts.
  await tx
    .updateTable('delivery_leases')
    .set({ owner: '' })
    .where(
      'owner',
      'in',
      dead.map(process => process.id),
    )
    .execute()
}

async function take(
  tx: Tx,
  owner: string,
  wanted: readonly Pick<Lease, 'jobId' | 'log'>[],
  nowMs: number,
): Promise<void> {
  const ids = wanted.map(({ jobId }) => jobId)
  const rows = await tx.selectFrom('jobs').select('id').where('id', 'in', ids).execute()
  const known = new Set(rows.map(({ id }) => id))
  const values = wanted
    .filter(({ jobId }) => known.has(jobId))
    .map(({ jobId, log }) => ({ job_id: jobId, log, owner, fence: 1 }))
    .sort((a, b) => a.job_id - b.job_id || (a.log < b.log ? -1 : 1))
  if (values.length === 0) return
  await tx
    .insertInto('delivery_leases')
    .values(values)
    .onConflict(on =>
      on
        .columns(['job_id', 'log'])
        .doUpdateSet(eb => ({ owner, fence: eb('delivery_leases.fence', '+', 1) }))
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('delivery_processes')
                .select('id')
                .whereRef('delivery_processes.id', '=', 'delivery_leases.owner')
                .where('until_ms', '>=', nowMs),
            ),
          ),
        ),
    )
    .execute()
}

async function leasesOf(tx: Tx, owner: string): Promise<readonly Lease[]> {
  const rows = await tx.selectFrom('delivery_leases').selectAll().where('owner', '=', owner).execute()
  return rows.map(({ job_id, log, fence }) => ({ jobId: job_id, log, owner, fence }))
}

/**
 * Locks the lease until the transaction ends, so that the holder writes nothing after another process has taken it.
 * @throws StoreError `fenced` when another process has the lease
 */
export async function requireLease(tx: Tx, lease: Lease | undefined): Promise<void> {
  if (lease === undefined) return
  const { numUpdatedRows } = await tx
    .updateTable('delivery_leases')
    .set({ owner: lease.owner })
    .where('job_id', '=', lease.jobId)
    .where('log', '=', lease.log)
    .where('owner', '=', lease.owner)
    .where('fence', '=', lease.fence)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new StoreError('fenced', `another process delivers job ${lease.jobId} now`)
}

/** The same for many leases at once. @returns `leaseKey`s of the leases that are still valid */
export async function heldLeases(tx: Tx, leases: readonly Lease[]): Promise<ReadonlySet<string>> {
  const held = new Set<string>()
  for (const some of parts([...leases].sort((a, b) => a.jobId - b.jobId))) {
    const rows = await tx
      .updateTable('delivery_leases')
      .set({ owner: sql.ref('owner') })
      .where(
        'job_id',
        'in',
        some.map(({ jobId }) => jobId),
      )
      .where('owner', 'in', [...new Set(some.map(({ owner }) => owner))])
      .returning(['job_id', 'log', 'owner', 'fence'])
      .execute()
    for (const { job_id, ...rest } of rows) held.add(leaseKey({ jobId: job_id, ...rest }))
  }
  return held
}

export function leaseKey({ jobId, log, owner, fence }: Lease): string {
  return JSON.stringify([jobId, log, owner, fence])
}
