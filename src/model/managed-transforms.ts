import type { Json } from './resource.ts'

/** Transforms that the edge carries out. @source Cloudflare docs, available Managed Transforms */
export const managedRequestTransforms = [
  'add_true_client_ip_headers',
  'add_visitor_location_headers',
  'remove_visitor_ip_headers',
] as const
export const managedResponseTransforms = ['remove_x-powered-by_header', 'add_security_headers'] as const

export type ManagedTransform =
  | (typeof managedRequestTransforms)[number]
  | (typeof managedResponseTransforms)[number]

/** Request transforms that have no effect here, with the reason. */
export const idleManagedTransforms = {
  add_bot_protection_headers: 'Sluice has no bot scores for requests',
  add_client_certificate_headers: 'the edge asks clients for no certificates',
  add_waf_credential_check_status_header:
    'the edge adds no Exposed-Credential-Check; a header rule with cf.waf.credential_check.password_leaked can add it',
} as const

export type IdleManagedTransform = keyof typeof idleManagedTransforms

/** The other spelling of the id, which some clients send. */
export const otherSpelling = {
  name: 'remove_x_powered_by_headers',
  of: 'remove_x-powered-by_header',
} as const

/** The transform that cannot be on together with this one. */
export const conflictingTransform: { readonly [T in ManagedTransform]?: ManagedTransform } = {
  add_true_client_ip_headers: 'remove_visitor_ip_headers',
  remove_visitor_ip_headers: 'add_true_client_ip_headers',
}

/** @param values stored ones, by name. A transform is stored under the spelling that was written last; the other is null */
export function managedTransformsOf(values: ReadonlyMap<string, Json>): ReadonlySet<ManagedTransform> {
  const isOn = (id: ManagedTransform) =>
    values.get(id) === true ||
    (id === otherSpelling.of && values.get(otherSpelling.name) === true) ||
    // The setting is older than the managed transform of the same header.
    (id === 'add_true_client_ip_headers' && values.get('true_client_ip_header') === 'on')
  return new Set([...managedRequestTransforms, ...managedResponseTransforms].filter(isOn))
}
