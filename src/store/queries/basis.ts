import { isDeepStrictEqual } from 'node:util'
import type { Basis } from '../port/basis.ts'
import { StoreError } from '../port/error.ts'

/**
 * @param stored the current value, read in the transaction that has locked it
 * @throws StoreError `stale` when it differs from the value that the new one was made from
 */
export async function requireBasis<T>(
  basis: Basis<T> | undefined,
  what: string,
  stored: () => Promise<T>,
): Promise<void> {
  if (basis === undefined || isDeepStrictEqual(await stored(), basis.before)) return
  throw new StoreError('stale', `${what} was changed meanwhile`)
}
