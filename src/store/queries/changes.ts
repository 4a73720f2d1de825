import type { Change } from '../../bus/port.ts'
import { storeLimits } from '../../kit/limits.ts'
import type { Gate, Tx } from '../gate.ts'
import type { Store } from '../port.ts'
import type { CounterRow } from '../schema.ts'

export function changeQueries(gate: Gate): Store['changes'] {
  return {
    after: sequence =>
      gate.read(async db => {
        const rows = await db
          .selectFrom('changes')
          .selectAll()
          .where('sequence', '>', sequence)
          .orderBy('sequence')
          .limit(storeLimits.changesPerReadMax)
          .execute()
        return rows.map(row => ({
          sequence: row.sequence,
          kind: row.kind as Change['kind'],
          id: row.resource_id,
        }))
      }),
    head: () =>
      gate.read(async db => {
        const row = await db
          .selectFrom('counters')
          .select('value')
          .where('name', '=', 'change')
          .executeTakeFirstOrThrow()
        return row.value
      }),
  }
}

/** Writes the entry that tells every process; part of the transaction that makes the change. */
export async function announce(tx: Tx, kind: Change['kind'], id: string): Promise<void> {
  const sequence = await nextOf(tx, 'change')
  await tx.insertInto('changes').values({ sequence, kind, resource_id: id }).execute()
  if (sequence % pruneEvery === 0) await prune(tx, sequence - storeLimits.changesKept)
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

/** The newest entry of each resource stays, however old: a follower that was away for a year sees it. */
async function prune(tx: Tx, upTo: number): Promise<void> {
  await tx
    .deleteFrom('changes')
    .where('sequence', '<=', upTo)
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
