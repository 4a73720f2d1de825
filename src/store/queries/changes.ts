import type { StoredChange } from '../../bus/port.ts'
import { newId } from '../../kit/ids.ts'
import type { Rollout } from '../../model/rollout.ts'
import { storeLimits } from '../limits.ts'
import type { Store } from '../port.ts'
import type { CounterRow } from '../schema.ts'
import type { Transactions, Tx } from '../transactions.ts'

export function changeQueries(transactions: Transactions): Pick<Store['changes'], 'after' | 'head'> {
  return {
    after: sequence =>
      transactions.read(async db => {
        const rows = await db
          .selectFrom('changes')
          .selectAll()
          .where('sequence', '>', sequence)
          .orderBy('sequence')
          .limit(storeLimits.changesPerReadMax)
          .execute()
        return rows.map(row => ({
          sequence: row.sequence,
          kind: row.kind as StoredChange['kind'],
          id: row.resource_id,
          mark: row.mark,
        }))
      }),
    head: () =>
      transactions.read(async db => {
        const row = await db
          .selectFrom('counters')
          .select('value')
          .where('name', '=', 'change')
          .executeTakeFirstOrThrow()
        return row.value
      }),
  }
}

/** Writes the entry that informs every process, in the transaction of the change. @returns its sequence */
export async function announce(tx: Tx, kind: StoredChange['kind'], id: string): Promise<number> {
  const sequence = await nextOf(tx, 'change')
  await tx.insertInto('changes').values({ sequence, kind, resource_id: id, mark: newId() }).execute()
  if (sequence % pruneEvery === 0) await prune(tx, sequence - storeLimits.changesKept)
  return sequence
}

export async function nextOf(tx: Tx, counter: CounterRow['name']): Promise<number> {
  const row = await tx
    .updateTable('counters')
    .set(eb => ({ value: eb('value', '+', 1) }))
    .where('name', '=', counter)
    .returning('value')
    .executeTakeFirstOrThrow()
  return row.value
}

const pruneEvery = 1000

/**
 * Keeps the newest entry of each resource regardless of its age: a follower that was away for a year sees it. Also keeps the
 * last change for every edge: an edge that does not find that entry takes the database for a restored one and reads all.
 */
async function prune(tx: Tx, upTo: number): Promise<void> {
  const row = await tx.selectFrom('rollout').select('document').executeTakeFirst()
  const rollout = row && (JSON.parse(row.document) as Rollout)
  const everywhere = rollout === undefined || rollout.state === 'off' ? undefined : rollout.everywhere
  await tx
    .deleteFrom('changes')
    .where('sequence', '<=', upTo)
    .$if(everywhere !== undefined, query => query.where('sequence', '!=', everywhere!))
    .where(({ exists, selectFrom, ref }) =>
      exists(
        selectFrom('changes as newer')
          .select('newer.sequence')
          .where('newer.kind', '=', ref('changes.kind'))
          .where('newer.resource_id', '=', ref('changes.resource_id'))
          .where('newer.sequence', '>', ref('changes.sequence')),
      ),
    )
    .execute()
}
