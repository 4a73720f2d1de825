import { healthchecks, hostnameTlsSettingIds, keptSwitches } from '../../../coverage/index.ts'
import type { JsonObject } from '../../../model/resource.ts'
import type { Api } from '../../api.ts'
import type { Scope } from './resource-type.ts'

/** Objects that an export has as comments only. */
interface OmittedType {
  readonly scopes: readonly Scope['kind'][]
  /** Below the scope. */
  readonly path: string
  /** The path answers one object and not a list. */
  readonly isSingle?: true
  /** The text of the comment; undefined for an object that asks for nothing. */
  readonly note: (object: JsonObject) => string | undefined
}

/** Comments of accounts and zones, by their ids. */
export type Notes = ReadonlyMap<string, readonly string[]>

export async function notesOf(api: Api, scopes: readonly Scope[]): Promise<Notes> {
  const notes = new Map<string, readonly string[]>()
  for (const { kind, id } of scopes) {
    const texts: (string | undefined)[] = []
    for (const { path, isSingle, note } of omittedTypes.filter(type => type.scopes.includes(kind))) {
      const whole = `/${kind}s/${id}/${path}`
      const objects = isSingle ? [await api.get(whole)] : await api.list(whole)
      texts.push(...objects.map(note))
    }
    notes.set(
      id,
      texts.filter(text => text !== undefined),
    )
  }
  return notes
}

const keyless = 'Not exported, because the API does not show its key:'

const omittedTypes: readonly OmittedType[] = [
  {
    scopes: ['zone'],
    path: 'custom_certificates',
    note: ({ id, hosts, expires_on: expires }) =>
      `${keyless} custom certificate ${id} for ${(hosts as readonly string[]).join(', ')}, until ${expires}`,
  },
  {
    scopes: ['zone'],
    path: 'origin_tls_client_auth',
    note: ({ id, expires_on: expires }) =>
      `${keyless} certificate for origins (authenticated origin pulls) ${id}, until ${expires}`,
  },
  {
    scopes: ['zone'],
    path: 'origin_tls_client_auth/settings',
    isSingle: true,
    note: ({ enabled }) => (enabled === true ? 'Not exported: authenticated origin pulls are on' : undefined),
  },
  {
    scopes: ['account', 'zone'],
    path: 'custom_pages/assets',
    note: ({ name, url }) => `Not exported: custom page asset ${name}, from ${url}`,
  },
  {
    scopes: ['zone'],
    path: 'leaked-credential-checks/detections',
    note: ({ id, ...locations }) =>
      `Not exported: custom detection location ${id} of leaked credentials, ${JSON.stringify(locations)}`,
  },
  {
    scopes: ['zone'],
    path: healthchecks.path.slice(1),
    note: ({ name, address }) => `Not exported: health check ${name} of ${address}`,
  },
  ...hostnameTlsSettingIds.map(
    (setting): OmittedType => ({
      scopes: ['zone'],
      path: `hostnames/settings/${setting}`,
      note: ({ hostname, value }) => `Not exported: ${setting} of ${hostname}, ${JSON.stringify(value)}`,
    }),
  ),
  ...keptSwitches.map(
    ({ path, noun }): OmittedType => ({
      scopes: ['zone'],
      path: path.slice(1),
      isSingle: true,
      note: ({ value }) => (value === 'on' ? `Not exported: ${noun} is on` : undefined),
    }),
  ),
]
