import { type Kysely, sql } from 'kysely'
import type { Cipher } from '../../kit/cipher.ts'
import type { NotificationPolicy } from '../../model/notification.ts'
import type { KeptResourceRow, Schema } from '../schema.ts'

const statements: readonly string[] = [
  `create table notification_policies (
    id text primary key,
    account_id text not null references accounts (id) on delete cascade,
    created_on text not null,
    document text not null)`,
  'create index notification_policies_account on notification_policies (account_id)',
  `create table notification_webhooks (
    id text primary key,
    account_id text not null references accounts (id) on delete cascade,
    created_on text not null,
    sealed text not null,
    last_success text,
    last_failure text)`,
  'create index notification_webhooks_account on notification_webhooks (account_id)',
  `create table alert_occasions (
    id text primary key,
    policy_id text not null references notification_policies (id) on delete cascade,
    subject text not null,
    document text not null,
    unique (policy_id, subject))`,
  `create table notifications (
    id text primary key,
    account_id text not null references accounts (id) on delete cascade,
    created_on text not null,
    sent_on text,
    due_ms bigint,
    attempts integer not null default 0,
    document text not null)`,
  'create index notifications_account on notifications (account_id, sent_on)',
  'create index notifications_due on notifications (due_ms)',
  'alter table log_writers add column host text',
]

/** Policies and webhooks were stored before, without effect. */
export async function notifications(db: Kysely<Schema>, cipher: Cipher): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
  const kinds = ['notification_policy', 'notification_webhook']
  const rows = await db.selectFrom('kept_resources').selectAll().where('kind', 'in', kinds).execute()
  for (const row of rows)
    await (row.kind === 'notification_policy' ? movePolicy : moveWebhook)(db, row, cipher)
  await db.deleteFrom('kept_resources').where('kind', 'in', kinds).execute()
}

interface KeptPolicy
  extends Pick<NotificationPolicy, 'name' | 'description' | 'enabled' | 'filters' | 'mechanisms'> {
  readonly alert_type: string
  readonly alert_interval?: string
}

async function movePolicy(db: Kysely<Schema>, row: KeptResourceRow): Promise<void> {
  const { id, account_id: accountId, created_on: createdOn, modified_on: modifiedOn, document } = row
  const { alert_type: alertType, alert_interval: alertInterval, ...rest } = JSON.parse(document) as KeptPolicy
  const policy = { id, accountId, createdOn, modifiedOn, ...rest, alertType, alertInterval }
  await db
    .insertInto('notification_policies')
    .values({ id, account_id: accountId!, created_on: createdOn, document: JSON.stringify(policy) })
    .execute()
}

async function moveWebhook(db: Kysely<Schema>, row: KeptResourceRow, cipher: Cipher): Promise<void> {
  await db
    .insertInto('notification_webhooks')
    .values({
      id: row.id,
      account_id: row.account_id!,
      created_on: row.created_on,
      sealed: cipher.seal(row.document),
      last_success: null,
      last_failure: null,
    })
    .execute()
}
