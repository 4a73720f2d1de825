import { isDeepStrictEqual } from 'node:util'
import type { Json, JsonObject, Scope } from '../../../model/resource.ts'
import type { Api, WriteMethod } from '../../api.ts'

/** The account or a zone, as a file describes it. */
export interface Owner {
  readonly scope: Scope['kind']
  /** Undefined for a zone that does not exist yet. */
  readonly id: string | undefined
  readonly accountId: string
  /** The zone's domain; `account` for the account. */
  readonly name: string
}

/** One call that writes. */
export interface Write {
  readonly method: WriteMethod
  /** Below the account or the zone; with a leading slash, below the API. */
  readonly path: string
  readonly body?: Json
}

/** A kind of object in the files. */
export interface Kind {
  /** Its name in the files and in references. */
  readonly name: string
  /** For people: `DNS record`. */
  readonly noun: string
  readonly scopes: readonly Scope['kind'][]
  /** Below the scope. */
  readonly path: string
  /** Each scope has one, which always exists. */
  readonly isSingle?: true
  /** The most objects that a page of the list may have, where there can be many; otherwise pages have their usual size. */
  readonly perPage?: number
  /** The list has its objects without some members. */
  readonly isListedInPart?: true
  /** Members that name an object for people. Objects of the same name are told apart by their order. */
  readonly keys: readonly string[]
  /** Members of the files, in this order. */
  readonly members: readonly string[]
  /** Members that the API takes and does not return. They are written with changes of other members. */
  readonly unread?: readonly string[]
  /** Values that the API has for absent members. Files have neither them nor empty values. */
  readonly defaults: JsonObject
  /** Whether the files have the object; otherwise every object. */
  wanted?(object: JsonObject): boolean
  /** Whether an export leaves the object out, and it stays as it is unless a file has it. */
  isUnlisted?(object: JsonObject): boolean
  /** Whether an object that an export has stays as it is, too, unless a file has it. */
  stays?(object: JsonObject): boolean
  /** Members that it makes of the object, in place of those of the same name. */
  more?(object: JsonObject, api: Api, base: string): JsonObject | Promise<JsonObject>
  /** A document in the form in which it is compared. @param present the object of the same name in the API */
  normal?(document: JsonObject, present?: JsonObject): JsonObject
  /** The document with `${VARIABLE}` in place of credentials. @param variable makes the name of one */
  concealed?(document: JsonObject, object: JsonObject, variable: (suffix: string) => string): JsonObject
  /** The member of objects that the path of one ends with; otherwise `id`. */
  readonly idMember?: string
  create(document: JsonObject, owner: Owner): Write
  /** @param present the document that it replaces */
  change(id: string, document: JsonObject, present: JsonObject): Write
  /** Undefined for an object that always exists. */
  remove?(id: string, document: JsonObject): Write
  /** For objects that the API refuses beside each other. */
  readonly exchange?: Exchange
  /** A further write after one of the others, which goes on after the answer. */
  fill?(id: string, document: JsonObject): Write
}

/** One write that creates objects in place of others. */
export interface Exchange {
  /** Whether the API refuses the two objects beside each other. */
  excludes(document: JsonObject, other: JsonObject): boolean
  write(deleted: readonly string[], created: readonly JsonObject[]): Write
  /** The objects that were created. */
  createdIn(answer: JsonObject): readonly JsonObject[]
}

type Own = Pick<Kind, 'name' | 'noun' | 'scopes' | 'keys' | 'members'> & Partial<Kind>

/** A list of objects: POST to its path, PUT and DELETE below it. */
export function collection(path: string, own: Own, update: WriteMethod = 'PUT'): Kind {
  const defaults = own.defaults ?? {}
  return {
    path,
    defaults,
    create: body => ({ method: 'POST', path, body }),
    change: (id, body) => ({
      method: update,
      path: `${path}/${encodeURIComponent(id)}`,
      body: { ...defaults, ...body },
    }),
    remove: id => ({ method: 'DELETE', path: `${path}/${encodeURIComponent(id)}` }),
    ...own,
  }
}

/** One object of each scope. */
export function single(path: string, method: WriteMethod, own: Omit<Own, 'keys'>): Kind {
  const change = (body: JsonObject): Write => ({ method, path, body: { ...own.defaults, ...body } })
  return {
    path,
    isSingle: true,
    keys: [],
    defaults: {},
    create: change,
    change: (_id, document) => change(document),
    ...own,
  }
}

/** The members of the kind, without defaults and empty values. */
export function canonical(kind: Kind, document: JsonObject, present?: JsonObject): JsonObject {
  const whole = kind.normal?.(document, present) ?? document
  return Object.fromEntries(
    kind.members
      .filter(name => {
        const value = whole[name]
        if (value === undefined) return false
        return name in kind.defaults ? !isDeepStrictEqual(value, kind.defaults[name]) : !isEmpty(value)
      })
      .map(name => [name, whole[name]!]),
  )
}

/** `www.shop.test A`: the name of an object for people, of one line. */
export function labelOf(kind: Kind, document: JsonObject): string {
  return kind.keys
    .map(name => document[name])
    .filter(value => value !== undefined && value !== null)
    .map(value => (typeof value === 'object' ? wordsIn(value) : String(value)))
    .join(' ')
    .replace(/[^\p{L}\p{N} ._:/*@-]+/gu, '_')
    .slice(0, labelLength)
}

const labelLength = 120

/** `{ target: 'ip', value: '192.0.2.1' }` → `ip 192.0.2.1`. */
function wordsIn(value: Json): string {
  if (value === null || typeof value !== 'object') return String(value)
  return Object.values(value).map(wordsIn).join(' ')
}

function isEmpty(value: Json): boolean {
  if (value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** The objects of a list without members that have their default or are empty. */
export function withoutDefaults(list: Json | undefined, defaults: JsonObject): Json {
  return ((list ?? []) as readonly JsonObject[]).map(item =>
    Object.fromEntries(
      Object.entries(item).filter(([name, value]) =>
        name in defaults ? !isDeepStrictEqual(value, defaults[name]) : !isEmpty(value),
      ),
    ),
  )
}
