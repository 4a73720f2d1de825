import type { AuditEntry, Json } from '../../model/resource.ts'
import { storeLimits } from '../limits.ts'
import type { Store } from '../port.ts'
import type { Transactions, Tx } from '../transactions.ts'
import { nextOf } from './changes.ts'

export function auditQueries(transactions: Transactions): Store['audit'] {
  return {
    list: (accountId, page) =>
      transactions.read(async db => {
        let query = db.selectFrom('audit_entries').select('entry').where('account_id', '=', accountId)
        if (page.id !== undefined) query = query.where('id', '=', page.id)
        if (page.since !== undefined) query = query.where('at', '>=', page.since)
        if (page.before !== undefined) query = query.where('at', '<', page.before)
        if (page.zoneId !== undefined) query = query.where('zone_id', '=', page.zoneId)
        if (page.action !== undefined) query = query.where('action', '=', page.action)
        if (page.resourceKind !== undefined) query = query.where('resource_kind', '=', page.resourceKind)
        if (page.actorId !== undefined) query = query.where('actor_id', '=', page.actorId)
        if (page.actorEmail !== undefined) query = query.where('actor_email', '=', page.actorEmail)
        if (page.actorIp !== undefined) query = query.where('actor_ip', '=', page.actorIp)
        const rows = await query
          .orderBy('position', page.direction ?? 'desc')
          .limit(page.limit)
          .offset(page.offset)
          .execute()
        return rows.map(row => JSON.parse(row.entry) as AuditEntry)
      }),
    insert: entry => transactions.write('nothing', tx => writeAudit(tx, entry)),
    head: () => transactions.read(head),
    after: (position, limit) =>
      transactions.read(async db => {
        const rows = await db
          .selectFrom('audit_entries')
          .select(['position', 'entry'])
          .where('position', '>', position)
          .orderBy('position')
          .limit(limit)
          .execute()
        return rows.map(row => ({ position: row.position, entry: JSON.parse(row.entry) as AuditEntry }))
      }),
    at: moment =>
      transactions.read(async db => {
        const newest = await head(db)
        const row = await db
          .selectFrom('audit_entries')
          .select('position')
          .where('at', '>=', moment)
          .orderBy('position')
          .limit(1)
          .executeTakeFirst()
        return row?.position ?? newest + 1
      }),
  }
}

async function head(db: Tx): Promise<number> {
  const row = await db
    .selectFrom('counters')
    .select('value')
    .where('name', '=', 'audit')
    .executeTakeFirstOrThrow()
  return row.value
}

/** Writes the entry, if there is one, in the transaction of the change. */
export async function writeAudit(tx: Tx, entry: AuditEntry | undefined): Promise<void> {
  if (entry === undefined) return
  const position = await nextOf(tx, 'audit')
  await tx
    .insertInto('audit_entries')
    .values({
      position,
      id: entry.id,
      account_id: entry.accountId,
      zone_id: entry.zoneId ?? null,
      at: entry.at,
      action: entry.action,
      actor_email: entry.actor.email ?? null,
      actor_ip: entry.actor.ip,
      actor_id: entry.actor.id,
      resource_kind: entry.resource.kind,
      entry: JSON.stringify({ ...entry, before: bounded(entry.before), after: bounded(entry.after) }),
    })
    .execute()
  if (position % pruneEvery === 0) await prune(tx, position - storeLimits.auditEntriesKept)
}

const pruneEvery = 1000

async function prune(tx: Tx, upTo: number): Promise<void> {
  await tx.deleteFrom('audit_entries').where('position', '<=', upTo).execute()
}

function bounded(value: Json): Json {
  const bytes = Buffer.byteLength(JSON.stringify(value))
  return bytes <= storeLimits.auditValueBytesMax ? value : { omitted: true, bytes }
}
