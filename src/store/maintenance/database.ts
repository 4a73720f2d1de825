import { type Backend, openTransactions, type Transactions } from '../transactions.ts'

/** A database for maintenance, in any state. */
export interface Database {
  readonly backend: Backend
  readonly transactions: Transactions
  close(): Promise<void>
}

export function openDatabase(backend: Backend): Database {
  const transactions = openTransactions(backend)
  return { backend, transactions, close: () => transactions.close() }
}
