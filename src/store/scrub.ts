import type { Gate, Tx } from './gate.ts'

/** Stands in `installation` while the database file may hold what was deleted and has to be gone from it. */
export const scrubName = 'scrub'

/**
 * Takes the remains of deleted rows out of the files of the database, if a migration asked for it.
 * @param clear returns false when others were in the way: then the next start tries again
 */
export async function scrub(gate: Gate, clear: (db: Tx) => Promise<boolean>): Promise<void> {
  const asked = await gate.read(db =>
    db.selectFrom('installation').select('name').where('name', '=', scrubName).executeTakeFirst(),
  )
  if (asked === undefined || !(await gate.read(clear))) return
  await gate.write(async tx => {
    await tx.deleteFrom('installation').where('name', '=', scrubName).execute()
  })
}
