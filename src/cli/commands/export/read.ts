import type { JsonObject } from '../../../model/resource.ts'
import type { Api } from '../../api.ts'
import type { Members } from './hcl.ts'
import { uniqueNames } from './names.ts'
import type { ResourceType, Scope } from './resource-type.ts'
import { resourceTypes } from './resources.ts'

/** An object of the account, as a resource. */
export interface Resource {
  readonly type: ResourceType
  readonly scope: Scope
  /** Its name in the configuration, unique among resources of the type. */
  readonly name: string
  /** Its id in the API; empty if there is one in each zone. */
  readonly id: string
  readonly importId: string
  readonly members: Members
  readonly object: JsonObject
}

/** An account or a zone with its name. */
export interface NamedScope extends Scope {
  /** The zone's name in the configuration; empty for the account. */
  readonly name: string
  /** Its domain. */
  readonly domain: string
}

/** @returns the account, and its zones by name */
export async function readScopes(api: Api, wanted: string | undefined): Promise<readonly NamedScope[]> {
  const accounts = await api.list('/accounts')
  const ids = accounts.map(({ id }) => String(id))
  if (wanted === undefined && ids.length !== 1)
    throw new Error(`the token reaches ${ids.length} accounts: name one with --account (${ids.join(', ')})`)
  const id = wanted ?? ids[0]!
  const account = accounts.find(one => one['id'] === id)
  if (account === undefined) throw new Error(`the token does not reach an account ${id}`)
  const zones = await api.list(`/zones?account.id=${encodeURIComponent(id)}&per_page=50`)
  const named = zones.map(zone => ({ id: String(zone['id']), domain: String(zone['name']) }))
  const names = uniqueNames(named.map(zone => ({ id: zone.id, label: zone.domain })))
  const all = named.map((zone, at): NamedScope => ({ kind: 'zone', ...zone, name: names[at]! }))
  return [{ kind: 'account', id, name: '', domain: '' }, ...all.toSorted(byName)]
}

/**
 * Every resource of the scopes, by type and name. The token of the export is none of them: a `destroy` would cut itself
 * off.
 */
export async function readResources(api: Api, scopes: readonly NamedScope[]): Promise<readonly Resource[]> {
  const all: Resource[] = []
  const { id: ownToken } = await api.get('/user/tokens/verify')
  for (const type of resourceTypes) {
    const found: Omit<Resource, 'name'>[] = []
    const labels: string[] = []
    for (const scope of scopes.filter(({ kind }) => type.scopes.includes(kind))) {
      for (const object of await objectsOf(api, type, scope)) {
        if (object['id'] === ownToken) continue
        const id = type.isSingle && type.path !== '' ? '' : String(object['id'])
        const importId = (type.importId ?? belowScope)(scope, id)
        found.push({ type, scope, id, importId, object, members: await membersOf(api, type, scope, object) })
        labels.push(labelOf(type, scope, object))
      }
    }
    const names = uniqueNames(found.map(({ id, scope }, at) => ({ label: labels[at]!, id: id || scope.id })))
    all.push(...found.map((one, at) => ({ ...one, name: names[at]! })).toSorted(byName))
  }
  return all
}

async function objectsOf(api: Api, type: ResourceType, { kind, id }: Scope): Promise<readonly JsonObject[]> {
  const path = type.path.startsWith('/') ? type.path : `/${kind}s/${id}/${type.path}`.replace(/\/$/, '')
  const objects = type.isSingle ? [await api.get(path)] : await api.list(path)
  const wanted = objects.filter(object => type.wanted?.(object) ?? true)
  if (!type.isListedInPart) return wanted
  const whole: JsonObject[] = []
  for (const one of wanted) whole.push(await api.get(`${path}/${one['id']}`))
  return whole
}

async function membersOf(api: Api, type: ResourceType, scope: Scope, object: JsonObject): Promise<Members> {
  const own = type.members.map(name => [name, object[name] ?? null])
  return { ...Object.fromEntries(own), ...(await type.more?.(object, scope, api)) }
}

/** The zone's name is part of it, unless the label contains the domain. */
function labelOf(type: ResourceType, { name, domain }: NamedScope, object: JsonObject): string {
  const label = type.label?.(object) ?? String(object['name'])
  return type.path === '' ? name : label.includes(domain) ? label : `${name}_${label}`
}

function belowScope({ id }: Scope, key: string): string {
  return `${id}/${key}`
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}
