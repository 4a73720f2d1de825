import { wholeLogOf } from '../../model/log-name.ts'
import { storeLimits } from '../limits.ts'
import type { Store } from '../port.ts'
import type { Transactions, Tx } from '../transactions.ts'

export function logQueries(transactions: Transactions): Store['logs'] {
  return {
    write: ({ location, host, log }, ms) =>
      transactions.write('nothing', async tx => {
        const nowMs = await transactions.nowMs(tx)
        await tx
          .deleteFrom('log_writers')
          .where('until_ms', '<', nowMs - storeLimits.silentEdgeMs)
          .execute()
        const row = { log, host, until_ms: nowMs + ms }
        await tx
          .insertInto('log_writers')
          .values({ place: location, ...row })
          .onConflict(on => on.column('place').doUpdateSet(row))
          .execute()
      }),
    leave: location =>
      transactions.write('nothing', async tx => {
        await tx.deleteFrom('log_writers').where('place', '=', location).execute()
      }),
    live: () =>
      transactions.read(async db => {
        const nowMs = await transactions.nowMs(db)
        const [written, delivered] = [
          await logsIn(db, 'log_writers', nowMs),
          await logsIn(db, 'delivery_processes', nowMs),
        ]
        return { written, delivered }
      }),
    silent: () =>
      transactions.read(async db => {
        const nowMs = await transactions.nowMs(db)
        const rows = await db
          .selectFrom('log_writers')
          .selectAll()
          .where('until_ms', '<', nowMs)
          .orderBy('place')
          .execute()
        return rows.map(({ place: location, host, log, until_ms }) => ({
          location,
          host: host ?? location,
          log,
          sinceMs: until_ms,
        }))
      }),
  }
}

async function logsIn(
  db: Tx,
  table: 'log_writers' | 'delivery_processes',
  nowMs: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom(table)
    .select('log')
    .distinct()
    .where('until_ms', '>=', nowMs)
    .orderBy('log')
    .execute()
  return [...new Set(rows.map(({ log }) => wholeLogOf(log)))]
}
