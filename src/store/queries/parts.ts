/** Rows of one statement: SQLite takes 32,766 parameters, and between statements others get their turn. */
const rowsPerStatement = 500

/** Cuts a long array into what one statement takes. */
export function* parts<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += rowsPerStatement) yield all.slice(at, at + rowsPerStatement)
}
