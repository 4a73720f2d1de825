import type { AuditLog } from '../../api/types.ts'

/** Members that the API puts beside who, what and when. */
export interface Metadata {
  readonly method?: string
  readonly path?: string
  readonly token_id?: string
  readonly zone_id?: string
  readonly zone_name?: string
}

export function metadataOf({ metadata }: AuditLog): Metadata {
  return metadata as Metadata
}

export const actions = [
  { value: 'create', label: 'Created' },
  { value: 'update', label: 'Changed' },
  { value: 'delete', label: 'Deleted' },
  { value: 'roll', label: 'Rolled' },
] as const

/** Kinds of resources in the trail, by the name that the API gives them. */
export const resources: readonly { readonly value: string; readonly label: string }[] = [
  { value: 'zone', label: 'Zone' },
  { value: 'ruleset', label: 'Ruleset' },
  { value: 'list', label: 'List' },
  { value: 'list_item', label: 'List item' },
  { value: 'shadow', label: 'Shadow' },
  { value: 'what_if_sampling', label: 'What if: sampling' },
  { value: 'crs_release', label: 'CRS release' },
  { value: 'logpush_job', label: 'Logpush job' },
  { value: 'logpush_replay', label: 'Logpush replay' },
  { value: 'logpull_retention', label: 'Log retention' },
  { value: 'log_redaction', label: 'Log redaction' },
  { value: 'instant_logs_session', label: 'Instant Logs session' },
  { value: 'token', label: 'API token' },
]

export function actionWord(type: string): string {
  return actions.find(({ value }) => value === type)?.label ?? type
}

export function resourceWord(type: string): string {
  return resources.find(({ value }) => value === type)?.label ?? type
}

/** What people call the resource: its name or description, where it has one; its zone when it is about the zone. */
export function resourceName(entry: AuditLog): string {
  const { oldValueJson, newValueJson, resource } = entry
  for (const value of [newValueJson, oldValueJson]) {
    const { name, description, crs_version } = (value ?? {}) as Readonly<Record<string, unknown>>
    for (const text of [name, crs_version, description])
      if (typeof text === 'string' && text !== '') return text
  }
  const { zone_id, zone_name } = metadataOf(entry)
  return resource.id === zone_id && zone_name !== undefined ? zone_name : resource.id
}

export function actorText({ actor }: AuditLog): string {
  return actor.email ?? (actor.type === 'user' ? actor.id : 'Sluice')
}
