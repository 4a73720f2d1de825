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
  /** Who made it; it can do no more than what its policies say. */
  readonly userId: string
  /** The account that owns it; absent when the user does. */
  readonly accountId?: string
  readonly status: 'active' | 'disabled'
  readonly policies: readonly TokenPolicy[]
  readonly condition?: TokenCondition
  /** Not good before and after these moments. */
  readonly notBefore?: string
  readonly expiresOn?: string
  readonly createdOn: string
  readonly modifiedOn: string
  /** To the minute; absent before its first use. */
  readonly lastUsedOn?: string
}

/** @source Cloudflare API, token policies: a deny outweighs every allow; what nothing allows is refused */
export interface TokenPolicy {
  readonly id: string
  readonly effect: 'allow' | 'deny'
  readonly permissionGroups: readonly { readonly id: string }[]
  /** Resource name → `*` or resources inside it, as written: `com.cloudflare.api.account.zone.<id>`. */
  readonly resources: JsonObject
}

/** Addresses from which a token may (not) be used; CIDR blocks. */
export interface TokenCondition {
  readonly requestIp?: { readonly in?: readonly string[]; readonly notIn?: readonly string[] }
}

export type ListKind = 'ip' | 'hostname' | 'asn' | 'redirect'

/** A custom list of an account; expressions name it `$name`. */
export interface List {
  readonly id: string
  readonly accountId: string
  /** Lower-case letters, digits and underscore; unique in the account. */
  readonly name: string
  readonly description: string
  readonly kind: ListKind
  readonly numItems: number
  readonly createdOn: string
  readonly modifiedOn: string
}

export interface ListItem {
  readonly id: string
  readonly listId: string
  /** One of `ip`, `hostname`, `asn` and `redirect`, as sent, and `comment` when there is one. */
  readonly content: JsonObject
  readonly createdOn: string
  readonly modifiedOn: string
}

/** A change of many items at once, answered before it is done. */
export interface ListOperation {
  readonly id: string
  readonly accountId: string
  readonly status: 'pending' | 'running' | 'completed' | 'failed'
  readonly error?: string
  readonly completedOn?: string
}

/** One change of anything through the API. */
export interface AuditEntry {
  readonly id: string
  readonly accountId: string
  readonly zoneId?: string
  readonly at: string
  readonly actor: {
    readonly kind: 'token' | 'user' | 'system'
    readonly id: string
    readonly email?: string
    readonly ip: string
  }
  /** What was done: `create`, `update`, `delete`, or `roll` of a token's secret. */
  readonly action: string
  readonly resource: { readonly kind: string; readonly id: string }
  readonly method: string
  readonly path: string
  /** The resource as the API shows it, without secrets; null when there was or is none. */
  readonly before: Json
  readonly after: Json
}

/**
 * A second configuration of the OWASP ruleset that is evaluated beside a zone's own on part of its traffic. What it
 * would have done is recorded; it does nothing.
 */
export interface Shadow {
  readonly zoneId: string
  readonly enabled: boolean
  /** Version of the managed ruleset; `latest` or a number in text. */
  readonly version: string
  /** 1–4. */
  readonly paranoiaLevel: number
  readonly scoreThreshold: number
  /** Share of requests, 0–1. */
  readonly sampleRate: number
  readonly modifiedOn: string
}

export type RulesetKind = 'managed' | 'custom' | 'root' | 'zone'

/** The phases that this Sluice evaluates, in the order in which a request goes through them. */
export const phases = [
  'http_request_sanitize',
  'http_request_dynamic_redirect',
  'http_request_transform',
  'http_config_settings',
  'http_request_origin',
  'http_request_firewall_custom',
  'http_ratelimit',
  'http_request_firewall_managed',
  'http_request_late_transform',
  'http_response_headers_transform',
  'http_response_firewall_managed',
  'http_log_custom_fields',
] as const

export type Phase = (typeof phases)[number]

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
  /** Of `skip` rules: are skipped requests recorded? */
  readonly logging?: { readonly enabled: boolean }
  /** Of rules in `http_ratelimit`; exactly as sent. */
  readonly ratelimit?: JsonObject
  readonly categories?: readonly string[]
  readonly scoreThreshold?: number
}

/** A ruleset as lists show it. */
export type RulesetSummary = Omit<Ruleset, 'rules'>

export interface LogpushJob {
  /** From 1; unique in the installation. */
  readonly id: number
  /** A job of an account covers all its zones, those to come too. */
  readonly scope: Scope
  readonly name: string | null
  readonly enabled: boolean
  readonly dataset: string
  /** As written, credentials included; kept encrypted, never logged. */
  readonly destinationConf: string
  readonly logpullOptions: string | null
  readonly outputOptions: JsonObject | null
  /** JSON text, or null when there is no filter. Echoed as written. */
  readonly filter: string | null
  readonly frequency: 'high' | 'low'
  /** Empty or `edge`. */
  readonly kind: string
  /** Absent when it was never said. */
  readonly filterAttackTraffic?: boolean
  readonly maxUploadBytes: number | null
  readonly maxUploadIntervalSeconds: number | null
  readonly maxUploadRecords: number | null
  /** One more with each write of a person, so that delivery sees that somebody did something. */
  readonly revision: number
  readonly lastComplete: string | null
  readonly lastError: string | null
  readonly errorMessage: string | null
  /** What only a person can mend has stopped it: it is tried when the job is written, and now and then. */
  readonly paused: boolean
}

/** What delivery says of a job. */
export type JobHealth = Pick<LogpushJob, 'lastComplete' | 'lastError' | 'errorMessage' | 'paused'>

/** A job's records of a range of time, delivered once more. */
export interface Replay {
  /** From 1 in its job. */
  readonly id: number
  readonly jobId: number
  /** The range as it was asked for: records received from `start` on and before `end`. */
  readonly start: string
  readonly end: string
  /** Records before this moment were not kept any more when the replay was made; null when none was missing. */
  readonly retainedSince: string | null
  readonly status: 'running' | 'completed' | 'failed' | 'canceled'
  readonly createdOn: string
  readonly completedOn: string | null
  readonly lines: number
  readonly objects: number
  /** Why it failed, or why the latest attempt did. */
  readonly errorMessage: string | null
}

/** What is taken out of a zone's records before they are written. Everything is on unless somebody turns it off. */
export interface Redaction {
  /** Credentials in Authorization and Proxy-Authorization. */
  readonly authorization: boolean
  /** Values in Cookie and Set-Cookie, those of cookies that custom fields name excepted. */
  readonly cookies: boolean
  /** Values of query parameters whose names look like credentials'. */
  readonly queryCredentials: boolean
  readonly cardNumbers: boolean
  /** Further query parameters whose values are taken out; names in lower case. */
  readonly queryParameters: readonly string[]
}

/** A look at a zone's records as they come (Instant Logs). */
export interface InstantSession {
  /** 32 hex digits that nobody can guess: who knows it may listen. */
  readonly id: string
  readonly zoneId: string
  /** As sent. */
  readonly fields: string
  readonly filter: string
  /** One in so many records. */
  readonly sample: number
  readonly createdOn: string
  /** When somebody was last seen to listen, to the minute; when it was made, before that. */
  readonly listenedOn: string
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
