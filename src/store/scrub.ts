import type { Transactions, Tx } from './transactions.ts'

/** Set in `installation` while the database file may hold deleted rows and must be cleared of them. */
export const scrubName = 'scrub'

/**
 * Removes the remains of deleted rows from the database files, if a migration requested it.
 * @param clear returns false when other processes prevented it: then the next start tries again
 */
export async function scrub(transactions: Transactions, clear: (db: Tx) => Promise<boolean>): Promise<void> {
  const asked = await transactions.read(db =>
    db.selectFrom('installation').select('name').where('name', '=', scrubName).executeTakeFirst(),
  )
  if (asked === undefined || !(await transactions.read(clear))) return
  await transactions.write('nothing', async tx => {
    await tx.deleteFrom('installation').where('name', '=', scrubName).execute()
  })
}
