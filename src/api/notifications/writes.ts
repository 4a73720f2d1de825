import type { FastifyRequest } from 'fastify'
import type { NotificationSetup } from '../../model/notification.ts'
import type { NotificationChange } from '../../store/port/notifications.ts'
import { type AuditedChange, auditEntry } from '../access/audit/entry.ts'
import type { ApiDeps } from '../deps.ts'
import { accountOf } from '../http/context.ts'
import type { Envelope } from '../http/envelope.ts'
import { KeyedQueue } from '../http/keyed-queue.ts'

/** A change of one resource, for the store, the client and the audit trail. */
export interface Changed {
  readonly change: NotificationChange
  readonly answer: Envelope
  readonly audit: Omit<AuditedChange, 'resource'>
}

/** Changes of the policies and webhooks of accounts, one after the other: policies name webhooks. */
export class NotificationWrites {
  readonly #store: ApiDeps['store']
  readonly #queue = new KeyedQueue()

  constructor({ store }: Pick<ApiDeps, 'store'>) {
    this.#store = store
  }

  read(request: FastifyRequest): Promise<NotificationSetup> {
    return this.#store.notifications.read(accountOf(request).id)
  }

  write(
    request: FastifyRequest,
    change: (before: NotificationSetup) => Changed | Promise<Changed>,
  ): Promise<Envelope> {
    const { notifications } = this.#store
    const { id } = accountOf(request)
    return this.#queue.write(id, async () => {
      const before = await notifications.read(id)
      const { change: changed, answer, audit } = await change(before)
      const resource = { kind: `notification_${changed.kind}`, id: changed.id }
      await notifications.change(id, changed, auditEntry(request, { ...audit, resource }), { before })
      return answer
    })
  }
}
