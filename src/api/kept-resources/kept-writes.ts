import type { FastifyRequest } from 'fastify'
import { isSingleton, type KeptKind, keptLimits } from '../../coverage/index.ts'
import { timestampOf } from '../../kit/clock.ts'
import { newId } from '../../kit/ids.ts'
import type { KeptResource } from '../../model/kept-resource.ts'
import type { JsonObject } from '../../model/resource.ts'
import { auditEntry } from '../access/audit/entry.ts'
import type { ApiDeps } from '../deps.ts'
import { scopeOf } from '../http/context.ts'
import { type Envelope, success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { KeyedQueue } from '../http/keyed-queue.ts'
import { noteOf, requireEnforced } from './not-enforced.ts'

type Deps = Pick<ApiDeps, 'store' | 'clock' | 'notEnforced'>

/** The next document of a resource. `before` is undefined for one that was never written. */
export type NextDocument = (before: KeptResource | undefined) => JsonObject

/** Reads and writes resources that nothing evaluates. */
export class KeptWrites {
  readonly #deps: Deps
  readonly #queue = new KeyedQueue()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Of one kind, oldest first. */
  async list(request: FastifyRequest, { kind }: KeptKind): Promise<readonly KeptResource[]> {
    const all = await this.#deps.store.keptResources.list(scopeOf(request))
    return all.filter(one => one.kind === kind)
  }

  /** @throws ApiError 404 */
  async get(request: FastifyRequest, kind: KeptKind, id: string): Promise<KeptResource> {
    const found = (await this.list(request, kind)).find(one => one.id === id)
    if (found === undefined) throw keptNotFound(kind, id)
    return found
  }

  /**
   * @param find the stored resource that is written, among those of the kind; it throws if the write needs one
   * @throws ApiError 400 where the installation refuses what it does not enforce
   */
  write(
    request: FastifyRequest,
    kind: KeptKind,
    find: (stored: readonly KeptResource[]) => KeptResource | undefined,
    next: NextDocument,
    answer: (resource: KeptResource) => unknown,
  ): Promise<Envelope> {
    const { store, clock, notEnforced } = this.#deps
    const scope = scopeOf(request)
    return this.#queue.write(scope.id, async () => {
      const all = await store.keptResources.list(scope)
      const stored = all.filter(one => one.kind === kind.kind)
      const before = find(stored)
      const now = timestampOf(clock.nowMs())
      const after: KeptResource = {
        kind: kind.kind,
        id: before?.id ?? newId(),
        createdOn: before?.createdOn ?? now,
        modifiedOn: now,
        document: next(before),
      }
      requireBounds(after, before === undefined ? stored.length + 1 : 0, kind)
      const parts = kind.withoutMeaning(after.document)
      const messages = requireEnforced(parts, notEnforced)
      const audit = auditEntry(request, {
        action: before === undefined && !isSingleton(kind) ? 'create' : 'update',
        resource: { kind: kind.kind, id: after.id },
        before: before === undefined ? null : audited(before, kind),
        after: {
          ...audited(after, kind),
          ...(parts.length === 0 ? {} : { not_enforced: parts.map(noteOf) }),
        },
      })
      await store.keptResources.put(scope, after, audit, { before: all })
      return success(answer(after), messages)
    })
  }

  /** @throws ApiError 404 */
  async delete(request: FastifyRequest, kind: KeptKind, id: string): Promise<Envelope> {
    await this.#remove(request, kind, stored => {
      const found = stored.find(one => one.id === id)
      if (found === undefined) throw keptNotFound(kind, id)
      return found
    })
    return success({ id })
  }

  /** A singleton has its defaults again. */
  async reset(request: FastifyRequest, kind: KeptKind): Promise<Envelope> {
    await this.#remove(request, kind, ([resource]) => resource)
    return success('')
  }

  /** @param find undefined where there is nothing to remove */
  #remove(
    request: FastifyRequest,
    kind: KeptKind,
    find: (stored: readonly KeptResource[]) => KeptResource | undefined,
  ): Promise<void> {
    const { store } = this.#deps
    const scope = scopeOf(request)
    return this.#queue.write(scope.id, async () => {
      const all = await store.keptResources.list(scope)
      const before = find(all.filter(one => one.kind === kind.kind))
      if (before === undefined) return
      const { id } = before
      const change = {
        action: 'delete',
        resource: { kind: kind.kind, id },
        before: audited(before, kind),
        after: null,
      } as const
      await store.keptResources.delete(scope, id, auditEntry(request, change), { before: all })
    })
  }
}

export function keptNotFound({ noun }: KeptKind, id: string): Error {
  return refusal('keptNotFound', { noun, id })
}

/** Members that may hold credentials stay out of the audit trail. */
function audited({ id, document }: KeptResource, { hidden = [] }: KeptKind): JsonObject {
  const shown = Object.entries(document).map(([name, value]) => [name, hidden.includes(name) ? '***' : value])
  return { id, ...Object.fromEntries(shown) }
}

function requireBounds({ document }: KeptResource, count: number, { noun }: KeptKind): void {
  const { keptResourcesMax, keptDocumentBytesMax } = keptLimits
  if (count > keptResourcesMax) throw refusal('tooManyKept', { limit: String(keptResourcesMax), noun })
  if (Buffer.byteLength(JSON.stringify(document)) <= keptDocumentBytesMax) return
  throw refusal('keptTooLong', { limit: String(keptDocumentBytesMax), noun })
}
