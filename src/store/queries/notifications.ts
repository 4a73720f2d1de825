import { sql } from 'kysely'
import type { Cipher } from '../../kit/cipher.ts'
import type {
  Notification,
  NotificationPolicy,
  NotificationSetup,
  NotificationWebhook,
  Occasion,
} from '../../model/notification.ts'
import type { NotificationChange, NotificationQuery, NotificationStore } from '../port/notifications.ts'
import type { NotificationWebhookRow } from '../schema.ts'
import type { Transactions, Tx } from '../transactions.ts'
import { writeAudit } from './audit.ts'
import { requireBasis } from './basis.ts'
import { parts } from './parts.ts'
import { accountRow } from './write-locks.ts'

export function notificationQueries(transactions: Transactions, cipher: Cipher): NotificationStore {
  return { ...setupQueries(transactions, cipher), ...alertQueries(transactions) }
}

type SetupQueries = Pick<NotificationStore, 'read' | 'change' | 'results' | 'report' | 'sent'>

function setupQueries(transactions: Transactions, cipher: Cipher): SetupQueries {
  return {
    read: accountId => transactions.read(db => stored(db, cipher, accountId)),
    change: (accountId, change, audit, basis) =>
      transactions.write(accountRow(accountId), async tx => {
        const what = `the notification policies and webhooks of account ${accountId}`
        await requireBasis(basis, what, () => stored(tx, cipher, accountId))
        await write(tx, cipher, change)
        await writeAudit(tx, audit)
      }),
    results: accountId =>
      transactions.read(async db => {
        const rows = await webhookRows(db, accountId)
        return new Map(
          rows.map(row => [row.id, { lastSuccess: row.last_success, lastFailure: row.last_failure }]),
        )
      }),
    report: (id, { lastSuccess, lastFailure }) =>
      transactions.write('nothing', async tx => {
        await tx
          .updateTable('notification_webhooks')
          .set({
            ...(lastSuccess === undefined ? {} : { last_success: lastSuccess }),
            ...(lastFailure === undefined ? {} : { last_failure: lastFailure }),
          })
          .where('id', '=', id)
          .execute()
      }),
    sent: (accountId, query) => transactions.read(db => sent(db, accountId, query)),
  }
}

/** The row of `installation` that names the process that watches, and until when. */
const watchName = 'alert-watch'

function alertQueries(transactions: Transactions): Omit<NotificationStore, keyof SetupQueries> {
  return {
    watch: (process, ms) =>
      transactions.write('nothing', async tx => {
        const nowMs = await transactions.nowMs(tx)
        const seen = await watcher(tx)
        // An end further away than a watch sets it comes from a clock that has since been set back.
        const isTaken = seen !== undefined && seen.untilMs >= nowMs && seen.untilMs <= nowMs + 2 * ms
        if (isTaken && seen.process !== process) return false
        const value = JSON.stringify({ process, untilMs: nowMs + ms })
        const { numInsertedOrUpdatedRows } = await tx
          .insertInto('installation')
          .values({ name: watchName, value })
          .onConflict(on =>
            on
              .column('name')
              .doUpdateSet({ value })
              .where('installation.value', '=', seen?.text ?? ''),
          )
          .executeTakeFirst()
        return numInsertedOrUpdatedRows === 1n
      }),
    leave: process =>
      transactions.write('nothing', async tx => {
        const seen = await watcher(tx)
        if (seen?.process !== process) return
        await tx
          .deleteFrom('installation')
          .where('name', '=', watchName)
          .where('value', '=', seen.text)
          .execute()
      }),
    enabled: () => transactions.read(async db => (await policiesOf(db)).filter(({ enabled }) => enabled)),
    occasions: () =>
      transactions.read(async db => {
        const rows = await db.selectFrom('alert_occasions').select('document').orderBy('id').execute()
        return rows.map(({ document }) => JSON.parse(document) as Occasion)
      }),
    begin: (occasion, notifications) =>
      transactions.write('nothing', async tx => {
        const { id, policyId, subject } = occasion
        // Locks the policy, so that it is not deleted meanwhile.
        const { numUpdatedRows } = await tx
          .updateTable('notification_policies')
          .set({ id: sql.ref('id') })
          .where('id', '=', policyId)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return
        const { numInsertedOrUpdatedRows } = await tx
          .insertInto('alert_occasions')
          .values({ id, policy_id: policyId, subject, document: JSON.stringify(occasion) })
          .onConflict(on => on.columns(['policy_id', 'subject']).doNothing())
          .executeTakeFirst()
        if (numInsertedOrUpdatedRows === 1n) await insert(tx, notifications)
      }),
    end: (id, notifications) =>
      transactions.write('nothing', async tx => {
        const { numDeletedRows } = await tx
          .deleteFrom('alert_occasions')
          .where('id', '=', id)
          .executeTakeFirst()
        if (numDeletedRows === 1n) await insert(tx, notifications)
      }),
    due: (nowMs, limit) =>
      transactions.read(async db => {
        const due = db
          .selectFrom('notifications')
          .select(['id', 'due_ms', 'document', 'attempts'])
          .select(({ fn }) =>
            fn
              .agg<number>('row_number')
              .over(over => over.partitionBy('account_id').orderBy('due_ms').orderBy('id'))
              .as('turn'),
          )
          .where('due_ms', '<=', nowMs)
        const rows = await db
          .selectFrom(due.as('due'))
          .select(['document', 'attempts'])
          .orderBy('turn')
          .orderBy('due_ms')
          .orderBy('id')
          .limit(limit)
          .execute()
        return rows.map(({ document, attempts }) => ({
          notification: { ...(JSON.parse(document) as Notification), sentOn: null },
          attempts,
        }))
      }),
    attempt: ({ notification, attempts }, nextMs) =>
      transactions.write('nothing', async tx => {
        const { numUpdatedRows } = await tx
          .updateTable('notifications')
          .set({ attempts: attempts + 1, due_ms: nextMs ?? null })
          .where('id', '=', notification.id)
          .where('attempts', '=', attempts)
          .where('sent_on', 'is', null)
          .executeTakeFirst()
        return numUpdatedRows === 1n
      }),
    settle: (id, sentOn) =>
      transactions.write('nothing', async tx => {
        await tx
          .updateTable('notifications')
          .set({ sent_on: sentOn, due_ms: null })
          .where('id', '=', id)
          .where('sent_on', 'is', null)
          .execute()
      }),
    forget: createdBefore =>
      transactions.write('nothing', async tx => {
        await tx.deleteFrom('notifications').where('created_on', '<', createdBefore).execute()
      }),
  }
}

async function stored(db: Tx, cipher: Cipher, accountId: string): Promise<NotificationSetup> {
  // One after the other: a transaction has one connection.
  const policies = await policiesOf(db, accountId)
  const webhooks = (await webhookRows(db, accountId)).map(row => webhookOf(row, cipher))
  return { policies, webhooks }
}

async function policiesOf(db: Tx, accountId?: string): Promise<readonly NotificationPolicy[]> {
  const all = db.selectFrom('notification_policies').select('document')
  const rows = await (accountId === undefined ? all : all.where('account_id', '=', accountId))
    .orderBy('created_on')
    .orderBy('id')
    .execute()
  return rows.map(({ document }) => JSON.parse(document) as NotificationPolicy)
}

function webhookRows(db: Tx, accountId: string): Promise<readonly NotificationWebhookRow[]> {
  return db
    .selectFrom('notification_webhooks')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_on')
    .orderBy('id')
    .execute()
}

type Sealed = Pick<NotificationWebhook, 'name' | 'url' | 'secret'>

function webhookOf(row: NotificationWebhookRow, cipher: Cipher): NotificationWebhook {
  const { id, account_id: accountId, created_on: createdOn, sealed } = row
  return { id, accountId, createdOn, ...(JSON.parse(cipher.open(sealed)) as Sealed) }
}

async function write(tx: Tx, cipher: Cipher, { kind, id, stored }: NotificationChange): Promise<void> {
  if (stored === undefined) {
    const table = kind === 'policy' ? 'notification_policies' : 'notification_webhooks'
    await tx.deleteFrom(table).where('id', '=', id).execute()
    return
  }
  const row = { id, account_id: stored.accountId, created_on: stored.createdOn }
  if (kind === 'policy') {
    const document = JSON.stringify(stored)
    await tx
      .insertInto('notification_policies')
      .values({ ...row, document })
      .onConflict(on => on.column('id').doUpdateSet({ document }))
      .execute()
    return
  }
  const { name, url, secret } = stored as NotificationWebhook
  const sealed = cipher.seal(JSON.stringify({ name, url, secret } satisfies Record<keyof Sealed, unknown>))
  await tx
    .insertInto('notification_webhooks')
    .values({ ...row, sealed, last_success: null, last_failure: null })
    .onConflict(on => on.column('id').doUpdateSet({ sealed }))
    .execute()
}

async function sent(db: Tx, accountId: string, { since, before, offset, limit }: NotificationQuery) {
  const matching = db
    .selectFrom('notifications')
    .where('account_id', '=', accountId)
    .where('sent_on', 'is not', null)
    .$if(since !== undefined, query => query.where('sent_on', '>', since!))
    .$if(before !== undefined, query => query.where('sent_on', '<', before!))
  const { total } = await matching
    .select(eb => eb.fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await matching
    .select(['document', 'sent_on'])
    .orderBy('sent_on', 'desc')
    .orderBy('id')
    .offset(offset)
    .limit(limit)
    .execute()
  const notifications = rows.map(row => ({
    ...(JSON.parse(row.document) as Notification),
    sentOn: row.sent_on,
  }))
  return { total: Number(total), notifications }
}

async function watcher(tx: Tx) {
  const row = await tx
    .selectFrom('installation')
    .select('value')
    .where('name', '=', watchName)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    text: row.value,
    ...(JSON.parse(row.value) as { readonly process: string; readonly untilMs: number }),
  }
}

/** Due at once. */
async function insert(tx: Tx, notifications: readonly Notification[]): Promise<void> {
  const rows = notifications.map(notification => ({
    id: notification.id,
    account_id: notification.accountId,
    created_on: notification.createdOn,
    sent_on: null,
    due_ms: 0,
    attempts: 0,
    document: JSON.stringify(notification),
  }))
  for (const some of parts(rows)) await tx.insertInto('notifications').values(some).execute()
}
