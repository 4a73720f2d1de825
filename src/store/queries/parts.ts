/** Rows in one statement: SQLite takes 32,766 parameters, and other work gets its turn between statements. */
export const rowsPerStatement = 500

/** Cuts a long array into parts of one statement each. */
export function* parts<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += rowsPerStatement) yield all.slice(at, at + rowsPerStatement)
}
