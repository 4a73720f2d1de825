/** The resources that the API shows and the store keeps. Plain data; no logic. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

export interface Account {
  /** 32 hex digits, as every id here. */
  readonly id: string
  readonly name: string
  /** ISO 8601, UTC, microseconds and Z, as every `…On` and `…Updated` here. */
  readonly createdOn: string
}

export interface Zone {
  readonly id: string
  readonly accountId: string
  /** A domain name in lower case. The zone also answers for every name below it. */
  readonly name: string
  /** Where requests go: `http://host:port`, no path. */
  readonly originUrl: string
  readonly paused: boolean
  readonly createdOn: string
  readonly modifiedOn: string
}

export interface User {
  readonly id: string
  readonly email: string
  /** SHA-256 of the key, hex. The key itself is never stored. */
  readonly keyHash: string
}

export interface ApiToken {
  readonly id: string
  readonly name: string
  /** SHA-256 of the token, hex. The token itself is never stored. */
  readonly hash: string
  readonly createdOn: string
}

export type RulesetKind = 'managed' | 'custom' | 'root' | 'zone'

/** The phases that this Sluice evaluates. */
export type Phase =
  | 'http_request_firewall_custom'
  | 'http_request_firewall_managed'
  | 'http_response_firewall_managed'
  | 'http_log_custom_fields'

export const phases: readonly Phase[] = [
  'http_request_firewall_custom',
  'http_request_firewall_managed',
  'http_response_firewall_managed',
  'http_log_custom_fields',
]

export type Scope = { readonly kind: 'account' | 'zone'; readonly id: string }

export interface Ruleset {
  readonly id: string
  readonly scope: Scope
  readonly name: string
  readonly description: string
  readonly kind: RulesetKind
  readonly phase: Phase
  /** From 1, one more with each change. Text on the wire. */
  readonly version: number
  readonly lastUpdated: string
  readonly source?: string
  readonly rules: readonly Rule[]
}

export interface Rule {
  readonly id: string
  readonly version: number
  readonly action: string
  /** Exactly as sent, in the wire's spelling: clients compare it with what they configured. */
  readonly actionParameters?: JsonObject
  /** Absent on rules of managed rulesets. */
  readonly expression?: string
  readonly description?: string
  readonly enabled: boolean
  readonly ref: string
  readonly lastUpdated: string
  readonly categories?: readonly string[]
  readonly scoreThreshold?: number
}

/** A ruleset as lists show it. */
export type RulesetSummary = Omit<Ruleset, 'rules'>

export interface LogpushJob {
  /** From 1. */
  readonly id: number
  readonly zoneId: string
  readonly name: string | null
  readonly enabled: boolean
  readonly dataset: string
  /** As written, credentials included; never logged. */
  readonly destinationConf: string
  readonly logpullOptions: string | null
  readonly outputOptions: JsonObject | null
  /** JSON text, or null when there is no filter. Echoed as written. */
  readonly filter: string | null
  readonly frequency: 'high' | 'low'
  readonly kind: string
  readonly maxUploadBytes: number | null
  readonly maxUploadIntervalSeconds: number | null
  readonly maxUploadRecords: number | null
  readonly lastComplete: string | null
  readonly lastError: string | null
  readonly errorMessage: string | null
}

/** One text file of a CRS release: a `.conf` with rules or a `.data` with phrases. */
export interface CrsFile {
  /** Path inside the release: `rules/REQUEST-942-….conf`. */
  readonly name: string
  /** Byte string (latin-1). */
  readonly text: string
}

export interface CrsRelease {
  /** Version number of the managed ruleset that this import became; from 1. */
  readonly version: number
  /** Upstream's version: `4.28.0`. */
  readonly crsVersion: string
  /** SHA-256 of the files, hex: an import of the same content is the same release. */
  readonly digest: string
  /** Where it came from, for people: `debian package 3.3.4-1+deb12u3`. */
  readonly origin: string
  readonly importedOn: string
}
