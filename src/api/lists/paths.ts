import type { FastifyRequest } from 'fastify'
import type { List } from '../../model/resource.ts'
import type { Revised } from '../../store/port/basis.ts'
import type { Store } from '../../store/port.ts'
import { accountOf } from '../http/context.ts'
import { refusal } from '../http/errors.ts'

export interface ListPath {
  Params: { readonly list_id: string }
}

/** @throws ApiError 404 */
export async function listOf(store: Store, request: FastifyRequest, id: string): Promise<Revised<List>> {
  const list = await store.lists.get(accountOf(request).id, id)
  if (list === undefined) throw listNotFound(id)
  return list
}

function listNotFound(id: string): Error {
  return refusal('listNotFound', { id })
}
