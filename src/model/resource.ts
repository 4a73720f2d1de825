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

/**
 * The host of a zone's DNS as Cloudflare knows it: Cloudflare, a provider that leads single names to it, or a provider
 * whose records it copies. Sluice hosts none, so all types are alike: the type is returned as it was chosen.
 */
export type ZoneType = (typeof zoneTypes)[number]
export const zoneTypes = ['full', 'partial', 'secondary'] as const

export interface Zone {
  readonly id: string
  readonly accountId: string
  /** A domain name in lower case. The zone also answers for every name below it. */
  readonly name: string
  /** Where requests go: `http://host:port`, no path. Undefined: only where DNS records and load balancers lead them. */
  readonly originUrl: string | undefined
  readonly paused: boolean
  readonly type: ZoneType
  readonly createdOn: string
  readonly modifiedOn: string
}

export interface User {
  readonly id: string
  /** In lower case. */
  readonly email: string
  /** SHA-256 of the key, hex. The key itself is never stored. */
  readonly keyHash?: string
  /** argon2id in PHC form. */
  readonly passwordHash?: string
  readonly totp?: Totp
  readonly invitation?: Invitation
  /** Issuer and subject of the user at the identity provider. */
  readonly oidcSubject?: string
}

/** The device that makes a user's one-time codes. */
export interface Totp {
  /** In base32. */
  readonly secret: string
  /** Whether the user has entered a code of it. Only then does a sign-in need one. */
  readonly confirmed: boolean
}

/** Lets its bearer set the user's password, once. */
export interface Invitation {
  /** SHA-256 of the secret, hex. */
  readonly hash: string
  readonly expiresOn: string
}

/** A user's access to an account. */
export interface Member {
  readonly id: string
  readonly accountId: string
  readonly userId: string
  /** Ids of roles. */
  readonly roles: readonly string[]
  readonly createdOn: string
}

/** A user's sign-in on one browser. */
export interface Session {
  readonly id: string
  /** SHA-256 of the cookie's value, hex. */
  readonly hash: string
  readonly userId: string
  readonly method: 'password' | 'oidc'
  /** Of the client that signed in. */
  readonly address: string
  /** Its User-Agent. */
  readonly agent: string
  readonly createdOn: string
  /** To the minute. */
  readonly lastUsedOn: string
  /** The end, however often it is used. */
  readonly expiresOn: string
}

export interface ApiToken {
  readonly id: string
  readonly name: string
  /** SHA-256 of the token, hex. The token itself is never stored. */
  readonly hash: string
  /** The user who made it. Its policies limit its permissions. */
  readonly userId: string
  /** The account that owns it; absent if the user owns it. */
  readonly accountId?: string
  readonly status: 'active' | 'disabled'
  readonly policies: readonly TokenPolicy[]
  readonly condition?: TokenCondition
  /** The token is valid between these moments. */
  readonly notBefore?: string
  readonly expiresOn?: string
  readonly createdOn: string
  readonly modifiedOn: string
  /** To the minute; absent before its first use. */
  readonly lastUsedOn?: string
}

/** @source Cloudflare API, token policies: a deny outweighs every allow; everything without an allow is refused */
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

/** A change of many items at once. The API answers before it is complete. */
export interface ListOperation {
  readonly id: string
  readonly accountId: string
  readonly status: 'pending' | 'running' | 'completed' | 'failed'
  readonly error?: string
  readonly completedOn?: string
}

/** One change through the API, a command or a start. */
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
  /** `create`, `update`, `delete`, or `roll` of a token's secret. */
  readonly action: string
  readonly resource: { readonly kind: string; readonly id: string }
  readonly method: string
  readonly path: string
  /** The resource as the API shows it, without secrets; null when there was or is none. */
  readonly before: Json
  readonly after: Json
}

/**
 * A second configuration of the OWASP ruleset, evaluated beside a zone's own on part of its traffic. Its verdicts are
 * recorded and never acted on.
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

/** The phases that Sluice evaluates, in the order of a request. */
export const phases = [
  'http_request_sanitize',
  'http_request_dynamic_redirect',
  'http_request_transform',
  'http_config_settings',
  'http_request_origin',
  'http_request_firewall_custom',
  'http_ratelimit',
  'http_request_firewall_managed',
  'http_request_redirect',
  'http_request_late_transform',
  'http_custom_errors',
  'http_response_headers_transform',
  'http_response_compression',
  'http_response_firewall_managed',
  'http_log_custom_fields',
] as const

export type Phase = (typeof phases)[number]

/**
 * Cloudflare's phases that Sluice does not evaluate. Their rulesets are stored only with `SLUICE_NOT_ENFORCED=keep`.
 */
export const keptPhases = [
  'ddos_l4',
  'ddos_l7',
  'http_request_api_gateway_early',
  'http_request_api_gateway_late',
  'http_request_cache_settings',
  'http_request_cloud_connector',
  'http_request_sbfm',
  'http_request_snippets',
  'http_response_cache_settings',
  'magic_transit',
  'magic_transit_ids_managed',
  'magic_transit_managed',
  'magic_transit_ratelimit',
] as const

export type KeptPhase = (typeof keptPhases)[number]
export type RulesetPhase = Phase | KeptPhase

/** Every phase of which rulesets can be stored. */
export const rulesetPhases: readonly RulesetPhase[] = [...phases, ...keptPhases]

export function isKeptPhase(phase: RulesetPhase): phase is KeptPhase {
  return keptPhases.some(kept => kept === phase)
}

/** The handling of settings that Sluice cannot enforce: they are refused, or kept and named in the answer. */
export type NotEnforced = 'refuse' | 'keep'

export type Scope = { readonly kind: 'account' | 'zone'; readonly id: string }

export interface Ruleset {
  readonly id: string
  readonly scope: Scope
  readonly name: string
  readonly description: string
  readonly kind: RulesetKind
  readonly phase: RulesetPhase
  /** From 1, incremented by each change. Text on the wire. */
  readonly version: number
  readonly lastUpdated: string
  readonly source?: string
  readonly rules: readonly Rule[]
}

/** A ruleset that edges evaluate. */
export interface EvaluatedRuleset extends Ruleset {
  readonly phase: Phase
}

export function isEvaluated(ruleset: Ruleset): ruleset is EvaluatedRuleset {
  return !isKeptPhase(ruleset.phase)
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
  /** Of `skip` rules: whether skipped requests are recorded. */
  readonly logging?: { readonly enabled: boolean }
  /** Of rules in `http_ratelimit`; exactly as sent. */
  readonly ratelimit?: JsonObject
  /** Of rules that look for leaked credentials; exactly as sent. */
  readonly exposedCredentialCheck?: JsonObject
  readonly categories?: readonly string[]
  readonly scoreThreshold?: number
}

/** A ruleset as lists show it. */
export type RulesetSummary = Omit<Ruleset, 'rules'>

export interface LogpushJob {
  /** From 1; unique in the installation. */
  readonly id: number
  /** A job of an account covers all its zones, including future ones. */
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
  /** Absent if it was never set. */
  readonly filterAttackTraffic?: boolean
  readonly maxUploadBytes: number | null
  readonly maxUploadIntervalSeconds: number | null
  readonly maxUploadRecords: number | null
  /** Incremented by each write through the API or the command line, so that delivery notices the change. */
  readonly revision: number
  readonly lastComplete: string | null
  readonly lastError: string | null
  readonly errorMessage: string | null
  /** A fault that needs a change by a user has stopped it. It is retried when the job is written, and at intervals. */
  readonly paused: boolean
}

/** The members of a job that delivery reports. */
export type JobHealth = Pick<LogpushJob, 'lastComplete' | 'lastError' | 'errorMessage' | 'paused'>

/** A second delivery of a job's records of a time range. */
export interface Replay {
  /** From 1 in its job. */
  readonly id: number
  readonly jobId: number
  /** The requested range: records received from `start` on and before `end`. */
  readonly start: string
  readonly end: string
  /** Records before this moment were already deleted when the replay was made; null if none was missing. */
  readonly retainedSince: string | null
  readonly status: 'running' | 'completed' | 'failed' | 'canceled'
  readonly createdOn: string
  readonly completedOn: string | null
  readonly lines: number
  readonly objects: number
  /** The reason of its failure, or of the latest attempt's. */
  readonly errorMessage: string | null
}

/** The redaction of a zone's records before they are written. Everything is on by default. */
export interface Redaction {
  /** Credentials in Authorization and Proxy-Authorization. */
  readonly authorization: boolean
  /** Values in Cookie and Set-Cookie, except values of cookies that custom fields name. */
  readonly cookies: boolean
  /** Values of query parameters whose names look like credentials. */
  readonly queryCredentials: boolean
  readonly cardNumbers: boolean
  /** Further query parameters to redact; names in lower case. */
  readonly queryParameters: readonly string[]
}

/** A live view of a zone's records (Instant Logs). */
export interface InstantSession {
  /** 32 random hex digits. Any client that knows them may listen. */
  readonly id: string
  readonly zoneId: string
  /** As sent. */
  readonly fields: string
  readonly filter: string
  /** One in so many records. */
  readonly sample: number
  readonly createdOn: string
  /** Time of the last listener, to the minute; time of creation before the first one. */
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
  /** The source of the import, for display: `debian package 3.3.4-1+deb12u3`. */
  readonly origin: string
  /** The year that its files claim; absent when they claim none. */
  readonly releasedYear?: number
  readonly importedOn: string
}
