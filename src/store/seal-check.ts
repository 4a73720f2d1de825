import { type Cipher, CipherError } from '../kit/cipher.ts'
import { StoreError } from './port/error.ts'
import type { Tx } from './transactions.ts'

/** A known text, sealed, shows whether a key is the one that sealed the database's credentials. */
const name = 'seal-check'
const text = 'sluice'

export async function writeSealCheck(tx: Tx, cipher: Cipher): Promise<void> {
  await tx
    .insertInto('secrets')
    .values({ name, value: cipher.seal(text) })
    .execute()
}

/** @throws StoreError `unavailable`, caused by a CipherError, when the key differs */
export async function checkSeal(db: Tx, cipher: Cipher): Promise<void> {
  const row = await db.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst()
  if (row === undefined)
    throw new StoreError('unavailable', 'the check of the key is missing: restore the newest backup')
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
