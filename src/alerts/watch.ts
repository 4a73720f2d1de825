import { type Clock, timestampOf } from '../kit/clock.ts'
import { newId } from '../kit/ids.ts'
import { alertTypeOf, type NotificationPolicy, type Occasion } from '../model/notification.ts'
import { notificationsOf } from './compose.ts'
import { conditions } from './conditions/table.ts'
import { alertLimits } from './limits.ts'
import { type AlertSources, Look, type Sight } from './look.ts'
import { type Outbox, type OutboxDeps, openOutbox } from './outbox.ts'

export interface AlertDeps extends OutboxDeps {
  readonly sources: AlertSources
  readonly clock: Clock
  /** The database does not answer, or the states of a policy cannot be known now. */
  readonly onError: (message: string, error: unknown) => void
}

export interface Alerts {
  /** Looks at every policy once, and begins to send the notifications that are due. Only one look runs at a time. */
  look(): Promise<void>
  /** Leaves the watch to another process. */
  stop(): Promise<void>
}

/**
 * Raises alerts until it is stopped. Of several processes, one watches. Occasions are in the database, so that each begins
 * and ends once, regardless of the process.
 */
export function startAlerts(deps: AlertDeps): Alerts {
  const watch = new Watch(deps)
  void watch.look()
  const timer = setInterval(() => void watch.look(), alertLimits.lookMs)
  return {
    look: () => watch.look(),
    async stop() {
      clearInterval(timer)
      await watch.stop()
    },
  }
}

class Watch {
  readonly #deps: AlertDeps
  readonly #process = newId()
  readonly #outbox: Outbox
  #looking: Promise<void> | undefined
  #stopped = false

  constructor(deps: AlertDeps) {
    this.#deps = deps
    this.#outbox = openOutbox(deps)
  }

  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch(error => this.#deps.onError('alerts cannot be looked at', error))
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#looking
    await this.#outbox.stop()
    // A watch that is not left ends by itself.
    await this.#deps.sources.store.notifications.leave(this.#process).catch(() => {})
  }

  async #look(): Promise<void> {
    const { sources, clock } = this.#deps
    const { notifications } = sources.store
    if (this.#stopped || !(await notifications.watch(this.#process, 3 * alertLimits.lookMs))) return
    const policies = await notifications.enabled()
    const open = Map.groupBy(await notifications.occasions(), ({ policyId }) => policyId)
    const look = new Look(sources, clock.nowMs())
    for (const policy of policies) {
      if (this.#stopped) return
      await this.#lookAt(policy, open.get(policy.id) ?? [], look)
      open.delete(policy.id)
    }
    // Their policies are disabled: no note of the end is wanted.
    for (const { id } of [...open.values()].flat()) await notifications.end(id, [])
    await this.#outbox.begin()
  }

  async #lookAt(policy: NotificationPolicy, open: readonly Occasion[], look: Look): Promise<void> {
    const type = alertTypeOf(policy.alertType)
    if (type === undefined) return
    try {
      await this.#compare(policy, open, look, await conditions[type.type](policy, look))
    } catch (error) {
      this.#deps.onError(`the state that the notification policy ${policy.id} asks for is not known`, error)
    }
  }

  async #compare(
    policy: NotificationPolicy,
    open: readonly Occasion[],
    { nowMs, sources }: Look,
    { findings, absenceOf }: Sight,
  ): Promise<void> {
    const { notifications } = sources.store
    const now = timestampOf(nowMs)
    const subjects = new Set(findings.map(({ subject }) => subject))
    const known = new Set<string>()
    for (const occasion of open) {
      const { id, subject, endText } = occasion
      const isOther = occasion.alertType !== policy.alertType
      const absence = isOther ? 'gone' : subjects.has(subject) ? 'unknown' : absenceOf(occasion)
      if (absence === 'unknown') {
        known.add(subject)
        continue
      }
      const isTold = absence === 'recovered' && endText !== null
      const notes = isTold ? notificationsOf(policy, 'ALERT_STATE_EVENT_END', occasion, endText, now) : []
      await notifications.end(id, notes)
    }
    for (const { subject, text, endText, data, isFading } of findings) {
      if (isFading === true || known.has(subject)) continue
      const { id: policyId, alertType } = policy
      const occasion = { id: newId(), policyId, alertType, subject, startedOn: now, endText, data }
      await notifications.begin(
        occasion,
        notificationsOf(policy, 'ALERT_STATE_EVENT_START', occasion, text, now),
      )
    }
  }
}
