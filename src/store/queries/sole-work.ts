import type { SoleWorkStore } from '../port/sole-work.ts'
import type { Transactions } from '../transactions.ts'

export function soleWorkQueries(transactions: Transactions): SoleWorkStore {
  return {
    take: (work, owner, ms) =>
      transactions.write('nothing', async tx => {
        const nowMs = await transactions.nowMs(tx)
        const row = { owner, until_ms: nowMs + ms }
        const { numInsertedOrUpdatedRows } = await tx
          .insertInto('sole_work')
          .values({ work, ...row })
          .onConflict(on =>
            on
              .column('work')
              .doUpdateSet(row)
              .where(eb =>
                eb.or([
                  eb('sole_work.owner', '=', owner),
                  eb('sole_work.until_ms', '<', nowMs),
                  // It comes from a clock that has since been set back.
                  eb('sole_work.until_ms', '>', nowMs + 2 * ms),
                ]),
              ),
          )
          .executeTakeFirstOrThrow()
        return numInsertedOrUpdatedRows === 1n
      }),
    leave: (work, owner) =>
      transactions.write('nothing', async tx => {
        await tx.deleteFrom('sole_work').where('work', '=', work).where('owner', '=', owner).execute()
      }),
  }
}
