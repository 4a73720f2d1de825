import type {
  Notification,
  NotificationPolicy,
  NotificationSetup,
  NotificationWebhook,
  Occasion,
  WebhookResults,
} from '../../model/notification.ts'
import type { AuditEntry } from '../../model/resource.ts'
import type { Basis } from './basis.ts'

/** One resource; `stored` undefined deletes it. */
export type NotificationChange =
  | { readonly kind: 'policy'; readonly id: string; readonly stored: NotificationPolicy | undefined }
  | { readonly kind: 'webhook'; readonly id: string; readonly stored: NotificationWebhook | undefined }

/** A notification that is to be sent. */
export interface DueNotification {
  readonly notification: Notification
  /** Attempts before. */
  readonly attempts: number
}

/** Sent notifications of a time, newest first. Both ends are exclusive. */
export interface NotificationQuery {
  readonly since?: string
  readonly before?: string
  readonly offset: number
  readonly limit: number
}

/** Policies and webhooks of accounts, and what they have led to. No change entries. */
export interface NotificationStore {
  read(accountId: string): Promise<NotificationSetup>
  /**
   * Stores or deletes a resource of an account.
   * @throws StoreError `conflict` when there is no such account, `stale` when the stored resources of the account differ
   *   from the basis
   */
  change(
    accountId: string,
    change: NotificationChange,
    audit?: AuditEntry,
    basis?: Basis<NotificationSetup>,
  ): Promise<void>
  /** By the ids of webhooks. */
  results(accountId: string): Promise<ReadonlyMap<string, WebhookResults>>
  /** Replaces the last success or failure of a webhook. One that is gone is skipped. */
  report(webhookId: string, results: Partial<WebhookResults>): Promise<void>
  sent(
    accountId: string,
    query: NotificationQuery,
  ): Promise<{ readonly total: number; readonly notifications: readonly Notification[] }>

  /**
   * Makes a process the only one that watches, for `ms` from now by the database's clock.
   * @returns false while another process does
   */
  watch(process: string, ms: number): Promise<boolean>
  /** Leaves the watch to another process. */
  leave(process: string): Promise<void>
  /** Of all accounts, oldest first. */
  enabled(): Promise<readonly NotificationPolicy[]>
  /** The occasions that have not ended. */
  occasions(): Promise<readonly Occasion[]>
  /** Stores an occasion and its notifications, unless the policy has this subject already or is gone. */
  begin(occasion: Occasion, notifications: readonly Notification[]): Promise<void>
  /** Removes an occasion and stores notifications of its end, unless it is gone already. */
  end(id: string, notifications: readonly Notification[]): Promise<void>
  /** Notifications to be sent by now: the oldest one of each account, then the next one of each, and so on. */
  due(nowMs: number, limit: number): Promise<readonly DueNotification[]>
  /**
   * Counts an attempt, and says when the next one follows if this one does not succeed.
   * @param nextMs undefined: none
   * @returns false if another process has made this attempt
   */
  attempt(due: DueNotification, nextMs: number | undefined): Promise<boolean>
  /** @param sentOn a notification that was sent twice keeps the first */
  settle(id: string, sentOn: string): Promise<void>
  /** Forgets notifications from before. */
  forget(createdBefore: string): Promise<void>
}
