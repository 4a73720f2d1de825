import type { Scope } from './resource.ts'

/** The property of a client that an IP access rule compares. @source Cloudflare docs, "IP Access rule parameters" */
export const accessTargets = ['ip', 'ip6', 'ip_range', 'asn', 'country'] as const
export type AccessTarget = (typeof accessTargets)[number]

/** @source Cloudflare API, IP access rules */
export const accessModes = ['block', 'challenge', 'whitelist', 'js_challenge', 'managed_challenge'] as const
export type AccessMode = (typeof accessModes)[number]

/** An IP access rule of an account or a zone. */
export interface AccessRule {
  readonly id: string
  readonly scope: Scope
  readonly target: AccessTarget
  /** An IPv6 address in long form, other values as the user wrote them. */
  readonly value: string
  /** Equal for all spellings of target and value that mean the same clients; unique in the scope. */
  readonly key: string
  readonly mode: AccessMode
  readonly notes: string
  readonly createdOn: string
  readonly modifiedOn: string
}

/** The part of an access rule that the edge needs. */
export interface EnforcedAccessRule extends Pick<AccessRule, 'id' | 'target' | 'key' | 'mode' | 'notes'> {
  /** Id of the account or the zone. */
  readonly ownerId: string
  /** Increases with each write of any rule. */
  readonly revision: number
}
