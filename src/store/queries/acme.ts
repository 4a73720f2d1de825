import type { Cipher } from '../../kit/cipher.ts'
import { newId } from '../../kit/ids.ts'
import type { AcmeChallenge, AcmeName } from '../../model/acme.ts'
import { acmeStoreLimits } from '../limits.ts'
import type { Store } from '../port.ts'
import type { AcmeNameRow } from '../schema.ts'
import type { Transactions, Tx } from '../transactions.ts'
import { announce } from './changes.ts'
import { zoneRow } from './write-locks.ts'

const hourMs = 3_600_000

export function acmeQueries(transactions: Transactions, cipher: Cipher): Store['acme'] {
  return {
    async accountKey(directory, made) {
      const kept = await transactions.read(db => sealedKey(db, directory))
      if (kept !== undefined) return cipher.open(kept)
      const row = { directory, sealed_key: cipher.seal(await made()) }
      const sealed = await transactions.write('nothing', async tx => {
        await tx
          .insertInto('acme_accounts')
          .values(row)
          .onConflict(on => on.column('directory').doNothing())
          .execute()
        return (await sealedKey(tx, directory))!
      })
      return cipher.open(sealed)
    },
    want: (zoneId, name, nowMs) =>
      transactions.write(zoneRow(zoneId), tx => insertName(tx, zoneId, name, nowMs)),
    names: zoneId =>
      transactions.read(async db => {
        let query = db.selectFrom('acme_names').selectAll()
        if (zoneId !== undefined) query = query.where('zone_id', '=', zoneId)
        return (await query.orderBy('name').execute()).map(nameOf)
      }),
    claim: (owner, nowMs, untilMs) => transactions.write('nothing', tx => claim(tx, owner, nowMs, untilMs)),
    settle: (owner, name, { problem, nextMs }) =>
      transactions.write('nothing', async tx => {
        await tx
          .updateTable('acme_names')
          .set(({ eb }) => ({
            failures: problem === undefined ? 0 : eb('failures', '+', 1),
            problem: problem ?? null,
            next_ms: nextMs,
            ...free,
          }))
          .where('name', '=', name)
          .where('owner', '=', owner)
          .execute()
      }),
    release: owner =>
      transactions.write('nothing', async tx => {
        await tx.updateTable('acme_names').set(free).where('owner', '=', owner).execute()
      }),
    ...challengeQueries(transactions, cipher),
  }
}

function challengeQueries(
  transactions: Transactions,
  cipher: Cipher,
): Pick<Store['acme'], 'publish' | 'withdraw' | 'challenges'> {
  return {
    publish: (challenge, untilMs) =>
      transactions.write('nothing', async tx => {
        const row = { sealed: cipher.seal(JSON.stringify(challenge)), until_ms: untilMs }
        await tx
          .insertInto('acme_challenges')
          .values({ name: challenge.name, kind: challenge.kind, ...row })
          .onConflict(on => on.columns(['name', 'kind']).doUpdateSet(row))
          .execute()
        await announce(tx, 'acme', '')
      }),
    withdraw: (name, nowMs) =>
      transactions.write('nothing', async tx => {
        const { numDeletedRows } = await tx
          .deleteFrom('acme_challenges')
          .where(({ or, eb }) => or([eb('name', '=', name), eb('until_ms', '<', nowMs)]))
          .executeTakeFirst()
        if (numDeletedRows > 0n) await announce(tx, 'acme', '')
      }),
    challenges: nowMs =>
      transactions.read(async db => {
        const rows = await db
          .selectFrom('acme_challenges')
          .select('sealed')
          .where('until_ms', '>=', nowMs)
          .orderBy('name')
          .orderBy('kind')
          .execute()
        return rows.map(({ sealed }) => JSON.parse(cipher.open(sealed)) as AcmeChallenge)
      }),
  }
}

const free = { owner: '', owner_until_ms: 0 }

async function sealedKey(db: Tx, directory: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('acme_accounts')
    .select('sealed_key')
    .where('directory', '=', directory)
    .executeTakeFirst()
  return row?.sealed_key
}

async function insertName(tx: Tx, zoneId: string, name: string, nowMs: number): Promise<boolean> {
  const zone = await tx.selectFrom('zones').select('id').where('id', '=', zoneId).executeTakeFirst()
  if (zone === undefined) return true
  const known = await tx.selectFrom('acme_names').select('name').where('zone_id', '=', zoneId).execute()
  if (known.some(row => row.name === name)) return true
  if (known.length >= acmeStoreLimits.acmeNamesPerZoneMax) return false
  await tx
    .insertInto('acme_names')
    .values({ name, zone_id: zoneId, failures: 0, problem: null, next_ms: nowMs, ...free })
    .onConflict(on => on.column('name').doNothing())
    .execute()
  return true
}

async function claim(tx: Tx, owner: string, nowMs: number, untilMs: number): Promise<AcmeName | undefined> {
  const due = await tx
    .selectFrom('acme_names')
    .selectAll()
    .where('next_ms', '<=', nowMs)
    .where('owner_until_ms', '<', nowMs)
    .orderBy('next_ms')
    .executeTakeFirst()
  if (due === undefined) return undefined
  await tx
    .deleteFrom('acme_orders')
    .where('at_ms', '<', nowMs - hourMs)
    .execute()
  const { orders } = await tx
    .selectFrom('acme_orders')
    .select(({ fn }) => fn.countAll<number>().as('orders'))
    .executeTakeFirstOrThrow()
  if (Number(orders) >= acmeStoreLimits.acmeOrdersPerHourMax) return undefined
  const { numUpdatedRows } = await tx
    .updateTable('acme_names')
    .set({ owner, owner_until_ms: untilMs })
    .where('name', '=', due.name)
    .where('owner_until_ms', '<', nowMs)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return undefined
  await tx.insertInto('acme_orders').values({ id: newId(), at_ms: nowMs }).execute()
  return nameOf(due)
}

function nameOf({ name, zone_id: zoneId, failures, problem, next_ms: nextMs }: AcmeNameRow): AcmeName {
  return { name, zoneId, failures, problem: problem ?? undefined, nextMs }
}
