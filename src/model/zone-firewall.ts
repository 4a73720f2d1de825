/** @source Cloudflare API, User Agent Blocking rules */
export const userAgentModes = ['block', 'challenge', 'js_challenge', 'managed_challenge'] as const
export type UserAgentMode = (typeof userAgentModes)[number]

interface FirewallRule {
  readonly id: string
  readonly zoneId: string
  /** Undefined: none was sent, and none is answered. */
  readonly description: string | undefined
  readonly paused: boolean
  readonly createdOn: string
  readonly modifiedOn: string
}

/** Acts on the clients with one User-Agent. */
export interface UserAgentRule extends FirewallRule {
  /** The whole header. */
  readonly userAgent: string
  readonly mode: UserAgentMode
}

/** Lets only some addresses reach URLs of a zone. */
export interface Lockdown extends FirewallRule {
  /** Host and path; `*` stands for any text. */
  readonly urls: readonly string[]
  readonly configurations: readonly LockdownConfiguration[]
  /** Lower goes first; undefined goes last. */
  readonly priority: number | undefined
}

/** An address, or a CIDR block. */
export interface LockdownConfiguration {
  readonly target: 'ip' | 'ip_range'
  readonly value: string
}

/** The rules of a zone below `/firewall`, besides access rules. Oldest first. */
export interface ZoneFirewall {
  readonly userAgentRules: readonly UserAgentRule[]
  readonly lockdowns: readonly Lockdown[]
}

export const noFirewall: ZoneFirewall = { userAgentRules: [], lockdowns: [] }
