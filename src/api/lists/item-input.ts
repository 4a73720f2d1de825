import { isId } from '../../kit/ids.ts'
import type { JsonObject, ListKind } from '../../model/resource.ts'
import { refusal } from '../http/errors.ts'
import { readItemValue } from './item-values.ts'
import { listRequestLimits } from './limits.ts'

const kinds: ReadonlySet<string> = new Set(['ip', 'hostname', 'asn', 'redirect'])

/**
 * The items that a client sends for a list of one kind: an array of objects with that kind's member and a comment.
 * @throws ApiError 400 with a pointer to the first that is wrong, or that is there twice
 */
export function readListItems(body: unknown, kind: ListKind): readonly JsonObject[] {
  if (!Array.isArray(body)) {
    throw refusal('wrongType', { field: 'the request body', type: 'an array of items' })
  }
  requireCount(body)
  const positions = new Map<string, number>()
  return body.map((entry: unknown, at) => {
    const { content, identity } = readItem(entry, kind, at)
    const before = positions.get(identity)
    if (before !== undefined)
      throw badItem(kind, at, `it is the same as the item at position ${before}`, `/${kind}`)
    positions.set(identity, at)
    return content
  })
}

function readItem(entry: unknown, kind: ListKind, at: number): { content: JsonObject; identity: string } {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    throw badItem(kind, at, 'an item must be a JSON object')
  }
  for (const [name, value] of Object.entries(entry)) {
    if (name === kind || name === 'comment' || value === null) continue
    const reason = kinds.has(name) ? `the list is of the kind ${kind}` : 'items have no such field'
    throw badItem(name, at, reason, `/${name}`)
  }
  const { [kind]: value, comment } = entry as Readonly<Record<string, unknown>>
  const read = readItemValue[kind](value)
  if (!read.ok) throw badItem(kind, at, read.reason, `/${kind}${read.pointer ?? ''}`)
  if (comment === undefined || comment === null)
    return { content: { [kind]: read.value }, identity: read.identity }
  if (typeof comment !== 'string' || comment.length > listRequestLimits.descriptionCharactersMax) {
    const reason = `it must be a string of at most ${listRequestLimits.descriptionCharactersMax} characters`
    throw badItem('comment', at, reason, '/comment')
  }
  return { content: { [kind]: read.value, comment }, identity: read.identity }
}

/**
 * The ids in `{"items": [{"id": …}, …]}`.
 * @throws ApiError 400
 */
export function readItemIds(body: unknown): readonly string[] {
  const items = typeof body === 'object' && body !== null ? (body as { items?: unknown }).items : undefined
  if (!Array.isArray(items)) throw refusal('wrongType', { field: 'items', type: 'an array' }, '/items')
  requireCount(items)
  return items.map((entry: unknown, at) => {
    const id = typeof entry === 'object' && entry !== null ? (entry as { id?: unknown }).id : undefined
    if (typeof id === 'string' && isId(id)) return id
    throw refusal(
      'badListItem',
      { field: 'id', position: String(at), reason: 'it is not an id' },
      `/items/${at}/id`,
    )
  })
}

function requireCount(items: readonly unknown[]): void {
  if (items.length > listRequestLimits.itemsPerRequestMax) {
    throw refusal('tooManyItems', { limit: String(listRequestLimits.itemsPerRequestMax) })
  }
}

/** @param position from 0, as upstream counts */
function badItem(field: string, position: number, reason: string, pointer = ''): Error {
  const shown = field.slice(0, 100)
  return refusal(
    'badListItem',
    { field: shown, position: String(position), reason },
    `/${position}${pointer}`,
  )
}
