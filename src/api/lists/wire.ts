import { Type } from '@fastify/type-provider-typebox'
import type { List, ListItem, ListOperation } from '../../model/resource.ts'

import { describedText, id, optional, text, time, type Wire } from '../http/schemas.ts'

export const listSchema = Type.Object({
  id,
  name: text,
  description: optional(describedText('absent when it is empty')),
  kind: Type.Enum(['ip', 'hostname', 'asn', 'redirect']),
  num_items: Type.Integer(),
  num_referencing_filters: Type.Integer(),
  created_on: time,
  modified_on: time,
})

const itemContent = {
  ip: optional(describedText('in lists of kind `ip`')),
  hostname: optional(Type.Object({ url_hostname: text }, { description: 'in lists of kind `hostname`' })),
  asn: optional(Type.Integer({ description: 'in lists of kind `asn`' })),
  redirect: optional(Type.Object({}, { description: 'in lists of kind `redirect`' })),
  comment: optional(text),
}

export const listItemSchema = Type.Object({ id, ...itemContent, created_on: time, modified_on: time })
/** Bodies with items are checked in item-input.ts. */
export const listItemsSchema = Type.Array(Type.Object(itemContent))
export const listItemIdsSchema = Type.Object({ items: Type.Array(Type.Object({ id })) })
export const operationIdSchema = Type.Object({ operation_id: id })

export const listOperationSchema = Type.Object({
  id,
  status: Type.Enum(['pending', 'running', 'completed', 'failed']),
  completed: optional(time),
  error: optional(text),
})

/** @param references how many rules name the list */
export function listToWire(list: List, references: number): Wire<typeof listSchema> {
  return {
    id: list.id,
    name: list.name,
    ...(list.description === '' ? {} : { description: list.description }),
    kind: list.kind,
    num_items: list.numItems,
    num_referencing_filters: references,
    created_on: list.createdOn,
    modified_on: list.modifiedOn,
  }
}

export function listItemToWire(item: ListItem): Wire<typeof listItemSchema> {
  return { id: item.id, ...item.content, created_on: item.createdOn, modified_on: item.modifiedOn }
}

export function listOperationToWire(operation: ListOperation): Wire<typeof listOperationSchema> {
  return {
    id: operation.id,
    status: operation.status,
    ...(operation.completedOn === undefined ? {} : { completed: operation.completedOn }),
    ...(operation.error === undefined ? {} : { error: operation.error }),
  }
}
