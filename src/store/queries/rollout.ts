import type { EdgeReport, Rollout } from '../../model/rollout.ts'
import { storeLimits } from '../limits.ts'
import { StoreError } from '../port/error.ts'
import type { RolloutStore } from '../port/rollout.ts'
import type { Transactions } from '../transactions.ts'
import { writeAudit } from './audit.ts'

/** @param reading reads the state, as it reads changes */
export function rolloutQueries(transactions: Transactions, reading: Transactions): RolloutStore {
  return {
    get: () =>
      reading.read(async db => {
        const row = await db.selectFrom('rollout').select(['revision', 'document']).executeTakeFirst()
        if (row === undefined) return { rollout: off, revision: 0 }
        return { rollout: JSON.parse(row.document) as Rollout, revision: row.revision }
      }),
    put: (rollout, revision, audit) =>
      transactions.write('nothing', async tx => {
        const next = { revision: revision + 1, document: JSON.stringify(rollout) }
        const { numInsertedOrUpdatedRows } = await tx
          .insertInto('rollout')
          .values({ id: 1, ...next })
          .onConflict(on => on.column('id').doUpdateSet(next).where('rollout.revision', '=', revision))
          .executeTakeFirstOrThrow()
        if (numInsertedOrUpdatedRows !== 1n)
          throw new StoreError('stale', 'the roll-out was changed meanwhile')
        await writeAudit(tx, audit)
      }),
    report: report =>
      transactions.write('nothing', async tx => {
        const nowMs = await transactions.nowMs(tx)
        await tx.deleteFrom('rollout_reports').where('until_ms', '<', nowMs).execute()
        const row = { until_ms: nowMs + storeLimits.edgeReportMs, document: JSON.stringify(report) }
        await tx
          .insertInto('rollout_reports')
          .values({ edge: report.edge, ...row })
          .onConflict(on => on.column('edge').doUpdateSet(row))
          .execute()
      }),
    reports: () =>
      transactions.read(async db => {
        const rows = await db
          .selectFrom('rollout_reports')
          .select('document')
          .where('until_ms', '>=', await transactions.nowMs(db))
          .orderBy('edge')
          .execute()
        return rows.map(({ document }) => JSON.parse(document) as EdgeReport)
      }),
  }
}

const off: Rollout = { state: 'off', everywhere: 0, staged: 0, first: [], beganMs: 0, lastMs: 0, reason: '' }
