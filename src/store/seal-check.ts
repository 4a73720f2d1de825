import { type Cipher, CipherError } from '../kit/cipher.ts'
import type { Tx } from './gate.ts'
import { StoreError } from './port.ts'

/** A known text, sealed, tells whether a key is the one that the database's credentials were sealed with. */
const name = 'seal-check'
const text = 'sluice'

export async function writeSealCheck(tx: Tx, cipher: Cipher): Promise<void> {
  await tx
    .insertInto('secrets')
    .values({ name, value: cipher.seal(text) })
    .execute()
}

/** @throws StoreError `unavailable`, caused by a CipherError, when the key is another one */
export async function checkSeal(db: Tx, cipher: Cipher): Promise<void> {
  const row = await db
    .selectFrom('secrets')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  try {
    cipher.open(row.value)
  } catch (error) {
    if (!(error instanceof CipherError)) throw error
    throw new StoreError(
      'unavailable',
      'the credentials in the database are encrypted with another key: set SLUICE_SECRET_KEY to that key, or put the file secret-key that holds it back into the data directory',
      { cause: error },
    )
  }
}
