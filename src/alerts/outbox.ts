import { backoffMs, type Clock, timestampOf } from '../kit/clock.ts'
import type { Notification } from '../model/notification.ts'
import type { DueNotification } from '../store/port/notifications.ts'
import { alertLimits } from './limits.ts'
import type { AlertSources } from './look.ts'
import type { Send } from './send/send.ts'

export interface OutboxDeps {
  readonly sources: Pick<AlertSources, 'store'>
  readonly clock: Clock
  readonly send: Send
  /** @param problem undefined: it was sent */
  readonly onSent: (
    notification: Notification,
    problem?: { readonly error: unknown; readonly isLast: boolean },
  ) => void
  readonly onError: (message: string, error: unknown) => void
}

export interface Outbox {
  /** Begins to send the notifications that are due, and forgets old ones. Each account is sent to by itself. */
  begin(): Promise<void>
  /** Ends the attempts that run. The next process makes the others. */
  stop(): Promise<void>
}

/** Sends each stored notification until its receiver has taken it. */
export function openOutbox(deps: OutboxDeps): Outbox {
  const { sources, clock, onError } = deps
  const { notifications } = sources.store
  const sending = new Map<string, Promise<void>>()
  let isStopped = false
  const sendAll = async (due: readonly DueNotification[]): Promise<void> => {
    for (let at = 0; at < due.length && !isStopped; at += alertLimits.sendsAtOnceMax)
      await Promise.all(due.slice(at, at + alertLimits.sendsAtOnceMax).map(one => attempt(deps, one)))
  }
  return {
    async begin() {
      const nowMs = clock.nowMs()
      await notifications.forget(timestampOf(nowMs - alertLimits.keptDays * 86_400_000))
      const due = await notifications.due(nowMs, alertLimits.sendsPerLookMax)
      for (const [account, own] of Map.groupBy(due, one => one.notification.accountId)) {
        if (sending.has(account)) continue
        const sent = sendAll(own)
          .catch(error => onError('notifications cannot be sent', error))
          .finally(() => sending.delete(account))
        sending.set(account, sent)
      }
    },
    async stop() {
      isStopped = true
      await Promise.all(sending.values())
    },
  }
}

async function attempt({ sources, clock, send, onSent }: OutboxDeps, due: DueNotification): Promise<void> {
  const { notifications } = sources.store
  const { notification, attempts } = due
  const isLast = attempts + 1 >= alertLimits.attemptsMax
  const delayMs = backoffMs(
    { firstMs: alertLimits.firstRetryMs, longestMs: alertLimits.retryMsMax },
    attempts + 1,
  )
  // Before it is sent: a process that dies meanwhile has used up an attempt.
  if (!(await notifications.attempt(due, isLast ? undefined : clock.nowMs() + delayMs))) return
  const { webhooks } = await notifications.read(notification.accountId)
  try {
    await send(notification, webhooks)
  } catch (error) {
    await report({ lastFailure: timestampOf(clock.nowMs()) })
    onSent(notification, { error, isLast })
    return
  }
  const now = timestampOf(clock.nowMs())
  await notifications.settle(notification.id, now)
  await report({ lastSuccess: now })
  onSent(notification)

  async function report(results: Parameters<typeof notifications.report>[1]): Promise<void> {
    if (notification.mechanismType === 'webhook') await notifications.report(notification.mechanism, results)
  }
}
