import type { JsonObject } from '../../../model/resource.ts'
import type { Api } from '../../api.ts'
import { canonical, type Kind, labelOf, type Owner } from './kind.ts'

/** An object of the API. */
export interface Entry {
  /** Empty for the only object of a scope. */
  readonly id: string
  /** As the API returned it. */
  readonly object: JsonObject
  /** Its canonical members. */
  readonly document: JsonObject
  /** For people. */
  readonly label: string
  /** It stays as it is unless a file has it. */
  readonly isUnlisted: boolean
}

/** The objects of a kind; none in a zone that does not exist yet. */
export async function readEntries(api: Api, owner: Owner, kind: Kind): Promise<readonly Entry[]> {
  if (owner.id === undefined) return []
  const base = `/${owner.scope}s/${owner.id}`
  const path = kind.path === '' ? base : `${base}/${kind.path}`
  const list = kind.perPage === undefined ? path : `${path}?per_page=${kind.perPage}`
  const objects = kind.isSingle ? [await api.get(path)] : await api.list(list)
  const entries: Entry[] = []
  for (const listed of objects) {
    if (kind.wanted?.(listed) === false) continue
    const id = kind.isSingle ? '' : String(listed[kind.idMember ?? 'id'])
    const object = kind.isListedInPart ? await api.get(`${path}/${id}`) : listed
    const document = canonical(kind, { ...object, ...(await kind.more?.(object, api, base)) })
    const isUnlisted = kind.isUnlisted?.(object) === true
    entries.push({ id, object, document, label: labelOf(kind, document), isUnlisted })
  }
  return entries
}

/** Names for references: the label, and `label#2` for the next object of the same label. */
export function referenceNames(labels: readonly string[]): readonly string[] {
  const times = new Map<string, number>()
  return labels.map(label => {
    const time = (times.get(label) ?? 0) + 1
    times.set(label, time)
    return time === 1 ? label : `${label}#${time}`
  })
}
