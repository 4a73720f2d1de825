import type { AuditLog } from '../../api/types.ts'

/** Members that the API adds to actor, action and time. */
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

/** Resource types of the audit trail. */
export const resources: readonly { readonly value: string; readonly label: string }[] = [
  { value: 'zone', label: 'Zone' },
  { value: 'zone_setting', label: 'Zone setting' },
  { value: 'custom_certificate', label: 'Certificate' },
  { value: 'custom_page', label: 'Custom page' },
  { value: 'access_rule', label: 'IP access rule' },
  { value: 'lockdown', label: 'Zone lockdown' },
  { value: 'ua_rule', label: 'User agent rule' },
  { value: 'dns_record', label: 'DNS record' },
  { value: 'dns_records', label: 'DNS records' },
  { value: 'load_balancer', label: 'Load balancer' },
  { value: 'pool', label: 'Pool of a load balancer' },
  { value: 'monitor', label: 'Monitor of a pool' },
  { value: 'url_normalization', label: 'URL normalization' },
  { value: 'managed_headers', label: 'Managed transforms' },
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
  { value: 'account', label: 'Account' },
  { value: 'member', label: 'Member' },
  { value: 'invitation', label: 'Invitation' },
  { value: 'session', label: 'Session of a user' },
  { value: 'user_sign_in', label: 'Sign-in of a user' },
  { value: 'token', label: 'API token' },
  { value: 'user_key', label: 'User API key' },
  { value: 'database', label: 'Database' },
]

export function actionWord(type: string): string {
  return actions.find(({ value }) => value === type)?.label ?? type
}

export function resourceWord(type: string): string {
  return resources.find(({ value }) => value === type)?.label ?? type
}

/** The display name of the resource: its name, description or zone. */
export function resourceName(entry: AuditLog): string {
  const { oldValueJson, newValueJson, resource } = entry
  for (const value of [newValueJson, oldValueJson]) {
    const { name, description, crs_version, email } = (value ?? {}) as Readonly<Record<string, unknown>>
    for (const text of [name, crs_version, description, email])
      if (typeof text === 'string' && text !== '') return text
  }
  const { zone_id, zone_name } = metadataOf(entry)
  return resource.id === zone_id && zone_name !== undefined ? zone_name : resource.id
}

export function actorText({ actor }: AuditLog): string {
  if (actor.email !== undefined) return actor.email
  if (actor.type === 'user') return actor.id ?? ''
  const [, user] = /^cli:(.*)$/.exec(actor.id ?? '') ?? []
  return user === undefined ? 'Sluice' : `${user}, by command`
}

/** The client address; commands run on the server itself. */
export function fromText({ actor }: AuditLog): string {
  return actor.ip ? `from ${actor.ip}` : 'on the server'
}
