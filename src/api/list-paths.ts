import type { FastifyRequest } from 'fastify'
import type { List } from '../model/resource.ts'
import type { Store } from '../store/port.ts'
import { accountOf } from './context.ts'
import { refusal } from './errors.ts'

export interface ListPath {
  Params: { readonly list_id: string }
}

/** @throws ApiError 404 */
export async function listOf(store: Store, request: FastifyRequest, id: string): Promise<List> {
  const list = await store.lists.get(accountOf(request).id, id)
  if (list === undefined) throw listNotFound(id)
  return list
}

export function listNotFound(id: string): Error {
  return refusal('listNotFound', { id })
}
