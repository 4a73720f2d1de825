import type { Checked, Problem } from '../../model/problem.ts'
import type { ErrorEntry } from './envelope.ts'

interface CatalogueEntry {
  readonly code: number
  readonly status: number
  /** `{name}` is filled in. */
  readonly message: string
}

/**
 * Every refusal of the API itself. The rulesets and logpush modules have their own codes for errors in a document. Codes
 * are Cloudflare's where known; 10300 to 10599 are Sluice's own. Never 409: clients repeat such requests.
 */
export const apiErrors = {
  badRequestHeaders: { code: 6003, status: 400, message: 'Invalid request headers' },
  badAuthorization: { code: 6111, status: 400, message: 'Invalid format for Authorization header' },
  badAuthKey: { code: 6103, status: 400, message: 'Invalid format for X-Auth-Key header' },
  badAuthEmail: { code: 6102, status: 400, message: 'Invalid format for X-Auth-Email header' },
  noCredentials: {
    code: 9106,
    status: 400,
    message: 'Missing X-Auth-Key, X-Auth-Email or Authorization headers',
  },
  unknownKeyPair: { code: 9103, status: 403, message: 'Unknown X-Auth-Key or X-Auth-Email' },
  tokenNotValid: { code: 1000, status: 401, message: 'Invalid API Token' },
  accessTokenNotValid: { code: 9109, status: 403, message: 'Invalid access token' },
  notAuthenticated: { code: 10000, status: 401, message: 'Authentication error' },
  noPermission: { code: 10000, status: 403, message: 'Authentication error' },
  wrongLocation: { code: 9109, status: 403, message: 'Cannot use the access token from location: {ip}' },
  tokenBeyondMaker: {
    code: 10404,
    status: 403,
    message:
      "a token cannot grant, change or delete a permission that it lacks: the credentials of this request do not have '{group}' on {resource}",
  },
  wrongPassword: { code: 10380, status: 401, message: 'unknown e-mail or wrong password' },
  oneTimeCodeNeeded: {
    code: 10381,
    status: 401,
    message: 'this user also needs a one-time code or a recovery code; send it as code',
  },
  wrongCode: { code: 10382, status: 401, message: 'this code is wrong, or was used already' },
  tooManyCodes: {
    code: 10383,
    status: 429,
    message:
      'too many wrong codes; try again in a quarter of an hour, or ask an administrator for an invitation',
  },
  sessionEnded: { code: 10384, status: 401, message: 'the session has ended; sign in again' },
  notOwnPage: {
    code: 10385,
    status: 403,
    message: 'a change with a session needs the header {header}, from a page at this address',
  },
  unknownInvitation: {
    code: 10386,
    status: 401,
    message: 'this invitation was used or has expired; ask an administrator for another',
  },
  lessThanUser: {
    code: 10387,
    status: 403,
    message:
      'this needs a session, a key pair, or a token with every right of its user, without an expiry or a condition',
  },
  signsInAtProvider: {
    code: 10388,
    status: 400,
    message: 'this user signs in at the identity provider; an invitation by an administrator sets a password',
  },
  hasSecondFactor: {
    code: 10389,
    status: 400,
    message: 'two-factor authentication is on; end it before you choose another app',
  },
  noSecondFactorBegun: {
    code: 10390,
    status: 400,
    message: 'there is no secret to confirm; POST /user/two_factor_authentication makes one',
  },
  userSessionNotFound: { code: 10391, status: 404, message: 'could not find session {id}' },
  noProvider: {
    code: 10392,
    status: 404,
    message: 'there is no identity provider; SLUICE_OIDC_ISSUER names one',
  },
  tooManyAccounts: { code: 10376, status: 403, message: 'an installation has at most {limit} accounts' },
  roleNotFound: { code: 10370, status: 404, message: 'could not find role {id}' },
  memberNotFound: { code: 10371, status: 404, message: 'could not find member {id}' },
  memberExists: { code: 10372, status: 400, message: '{email} is a member of this account already' },
  memberBeyondMaker: {
    code: 10373,
    status: 403,
    message: "the credentials of this request lack '{group}', which a role of this member has",
  },
  lastAdministrator: {
    code: 10374,
    status: 400,
    message: 'an account keeps at least one administrator; give another member that role first',
  },
  tooManyMembers: { code: 10375, status: 403, message: 'an account has at most {limit} members' },
  tokenNotFound: { code: 10407, status: 404, message: 'could not find API token {id}' },
  accountsOfAccountToken: {
    code: 1001,
    status: 400,
    message: 'List accounts endpoint does not support account owned tokens.',
  },
  noAccess: { code: 9109, status: 403, message: 'Unauthorized to access requested resource' },

  notRouted: {
    code: 7003,
    status: 404,
    message: 'Could not route to {path}, perhaps your object identifier is invalid?',
  },
  noRoute: { code: 7000, status: 404, message: 'No route for that URI' },
  methodNotAllowed: {
    code: 10405,
    status: 405,
    message: 'Method not allowed for this authentication scheme; available here: {methods}',
  },

  malformedJson: {
    code: 10400,
    status: 400,
    message: 'invalid JSON: {reason} (line {line}, column {column})',
  },
  notUtf8: { code: 10401, status: 400, message: 'the request body is not valid UTF-8' },
  tooDeep: {
    code: 10402,
    status: 400,
    message: 'invalid JSON: more than {limit} levels of objects and arrays',
  },
  badLength: {
    code: 10403,
    status: 400,
    message: 'the length of the request body differs from Content-Length',
  },
  unknownField: { code: 10420, status: 400, message: 'invalid JSON: unknown field "{field}"' },
  missingField: { code: 10421, status: 400, message: '{field} is required' },
  wrongType: { code: 10422, status: 400, message: '{field} must be {type}' },
  badValue: {
    code: 10423,
    status: 400,
    message: "'{value}' is not a valid value for {field} because {reason}",
  },
  bodyTooLarge: {
    code: 10413,
    status: 413,
    message: 'the request body is larger than {limit} bytes',
  },
  badContentType: {
    code: 10415,
    status: 415,
    message: "content type '{type}' is not supported; send application/json",
  },
  badHttp: { code: 10410, status: 400, message: 'the request is not valid HTTP' },
  headersTooLarge: { code: 10431, status: 431, message: 'the request line and headers are too large' },
  requestTimeout: { code: 10408, status: 400, message: 'the request did not arrive in time' },
  tooManyWrites: {
    code: 10040,
    status: 429,
    message: 'too many changes of the same resource at the same time; try again',
  },
  internal: {
    code: 10500,
    status: 500,
    message: 'internal error; the log has the details under the id {id}',
  },
  notReady: { code: 10503, status: 503, message: 'not ready' },
  storeAway: { code: 10504, status: 503, message: 'the database does not answer; try again' },

  rolloutState: {
    code: 10507,
    status: 400,
    message:
      'the roll-out is {state}: `proceed` needs staged or halted changes, `go_back` staged ones, and `retry` halted ones',
  },

  zoneExists: { code: 1061, status: 400, message: '{name} already exists' },
  zoneSettingUnknown: {
    code: 1006,
    status: 400,
    message: "Unrecognized zone setting name '{id}'; GET /zones/{zone}/settings lists the available settings",
  },
  zoneSettingValue: {
    code: 1007,
    status: 400,
    message: 'Invalid value for zone setting {id}; it is {values}',
  },
  zoneSettingNotEnforced: {
    code: 10426,
    status: 400,
    message:
      'zone setting {setting} has no effect here: {why}; SLUICE_NOT_ENFORCED=keep stores such values without effect',
  },
  certificateNotFound: { code: 10330, status: 404, message: 'could not find certificate {id}' },
  certificateRefused: { code: 10331, status: 400, message: '{field} cannot be used: {reason}' },
  certificateFeature: {
    code: 10332,
    status: 400,
    message: '{field} has no meaning on a self-hosted edge: {reason}',
  },
  tooManyCertificates: { code: 10333, status: 403, message: 'a zone has at most {limit} certificates' },
  customPageUnknown: {
    code: 10360,
    status: 404,
    message: "there is no custom page '{id}'; the identifiers are {known}",
  },
  customAssetNotFound: { code: 10361, status: 404, message: "there is no custom error asset '{name}'" },
  customAssetExists: {
    code: 10362,
    status: 400,
    message: "there is already a custom error asset '{name}'; change it with PUT",
  },
  tooManyCustomAssets: {
    code: 10363,
    status: 403,
    message: 'there are at most {limit} custom error assets; delete one first',
  },
  detectionNotFound: { code: 10364, status: 404, message: 'there is no detection location {id}' },
  tooManyDetections: {
    code: 10365,
    status: 403,
    message: 'a zone has at most {limit} custom detection locations; delete one first',
  },
  customPageFetch: { code: 1202, status: 400, message: 'Error fetching page: {reason}' },
  accessRuleNotFound: { code: 10001, status: 404, message: 'could not find access rule {id}' },
  accessRuleExists: {
    code: 10009,
    status: 400,
    message: 'firewallaccessrules.api.duplicate_of_existing: there is already a rule for {target} {value}',
  },
  tooManyAccessRules: {
    code: 10354,
    status: 400,
    message: 'an account or a zone has at most {limit} access rules',
  },
  accessRuleUnenforced: {
    code: 20206,
    status: 400,
    message:
      "'{value}' is not a valid value for configuration.value because no client can be recognised by it: {reason}",
  },
  firewallRuleNotFound: { code: 10001, status: 404, message: 'could not find {kind} {id}' },
  userAgentRuleExists: {
    code: 10009,
    status: 400,
    message: 'there is already a rule for this user agent: {id}',
  },
  tooManyFirewallRules: { code: 10355, status: 400, message: 'a zone has at most {limit} {kind}s' },
  managedTransformConflict: {
    code: 10424,
    status: 400,
    message: '{id} and {other} exclude each other; disable one of them',
  },
  managedTransformNotEnforced: {
    code: 10427,
    status: 400,
    message:
      'managed transform {id} has no effect here: {why}; SLUICE_NOT_ENFORCED=keep stores such values without effect',
  },
  rulesetNotFound: { code: 10001, status: 404, message: 'could not find ruleset {id}' },
  managedRuleset: {
    code: 20213,
    status: 400,
    message: 'managed rulesets cannot be changed; override {id} in the rule that executes it',
  },
  badIfMatch: {
    code: 10411,
    status: 400,
    message: 'the If-Match header must hold versions such as "7", or *',
  },
  staleVersion: {
    code: 10412,
    status: 412,
    message: 'ruleset {id} is at version {current}, not {expected}; {between}',
  },
  noVersion: {
    code: 10412,
    status: 412,
    message: 'the phase {phase} has no entry point, so there is no version to match',
  },
  versionNotFound: { code: 20290, status: 404, message: 'could not find version {version} of ruleset {id}' },
  newestVersion: {
    code: 20291,
    status: 400,
    message:
      'version {version} is the newest of ruleset {id} and cannot be deleted; delete the ruleset instead',
  },

  dnsRecordNotFound: { code: 81044, status: 404, message: 'Record {id} does not exist.' },
  dnsRecordExists: { code: 81058, status: 400, message: 'An identical record already exists.' },
  dnsHostTaken: {
    code: 81053,
    status: 400,
    message: 'A record of type {other} with the host {name} already exists, and {type} cannot be beside it.',
  },
  dnsTooManyRecords: { code: 81045, status: 400, message: 'a zone has at most {limit} DNS records' },
  dnsNameInvalid: {
    code: 9000,
    status: 400,
    message: "DNS name is invalid: '{name}' is not a name of the zone",
  },
  dnsNotProxiable: {
    code: 9004,
    status: 400,
    message: 'This record type cannot be proxied: {type}; A, AAAA and CNAME can',
  },
  dnsContentInvalid: {
    code: 9005,
    status: 400,
    message: 'Content for {type} record is invalid: {reason}',
  },
  dnsTtlInvalid: {
    code: 9021,
    status: 400,
    message: 'Invalid TTL {ttl}. Must be between 30 and 86400 seconds, or 1 for automatic.',
  },
  lbNotFound: { code: 10340, status: 404, message: 'could not find {kind} {id}' },
  lbNameTaken: { code: 10341, status: 400, message: 'a {kind} with the name {name} already exists' },
  lbInUse: { code: 10342, status: 412, message: 'the {kind} is in use by {users}; change these first' },
  lbUnsupported: { code: 10343, status: 400, message: '{field} is not supported: {reason}' },
  tooManyLbResources: { code: 10344, status: 400, message: 'an account has at most {limit} {kind}s' },
  withoutMeaning: {
    code: 10350,
    status: 400,
    message:
      '{what} has no meaning on a self-hosted edge: {why}; SLUICE_NOT_ENFORCED=keep stores it without effect',
  },
  notificationNotFound: { code: 10356, status: 404, message: 'could not find {kind} {id}' },
  tooManyNotifications: { code: 10357, status: 400, message: 'an account has at most {limit} {kind}' },
  webhookInUse: {
    code: 10358,
    status: 412,
    message: 'the webhook is in use by the policies {policies}; change these first',
  },
  webhookSecretRequired: {
    code: 10367,
    status: 400,
    message:
      'the URL leads to another server, to which the stored secret does not go: send `secret` too, or an empty `secret` for none',
  },
  notificationNotTaken: {
    code: 10359,
    status: 400,
    message: 'the receiver rejected the test: {reason}',
  },
  keptNotFound: { code: 10351, status: 404, message: 'could not find {noun} with the id {id}' },
  tooManyKept: { code: 10352, status: 400, message: 'at most {limit} of a kind are stored: {noun}' },
  keptTooLong: { code: 10353, status: 400, message: '{noun} has at most {limit} bytes' },
  badForm: { code: 10416, status: 400, message: 'the form cannot be read: {reason}' },
  badZoneFile: { code: 10425, status: 400, message: 'line {line} of the zone file: {reason}' },

  listNotFound: { code: 10310, status: 404, message: 'could not find list {id}' },
  listItemNotFound: { code: 10311, status: 404, message: 'could not find item {id} in the list' },
  operationNotFound: { code: 10312, status: 404, message: 'could not find bulk operation {id}' },
  listExists: { code: 10313, status: 400, message: 'a list with the name {name} already exists' },
  listInUse: { code: 10031, status: 400, message: 'the list is in use: {rules}' },
  tooManyLists: { code: 10314, status: 400, message: 'an account has at most {limit} lists' },
  badListItem: {
    code: 10028,
    status: 400,
    message: 'invalid value for {field} at position {position}: {reason}',
  },
  tooManyItems: { code: 10315, status: 400, message: 'a request holds at most {limit} items' },

  crsReleaseNotFound: { code: 10320, status: 404, message: 'could not find CRS release {version}' },
  crsUpstreamAway: { code: 10322, status: 503, message: 'no CRS release could be fetched: {reason}' },
  crsReleaseRefused: { code: 10323, status: 422, message: 'the CRS release cannot be used: {reason}' },
  crsRuleNotFound: { code: 10321, status: 404, message: 'CRS release {version} has no rule {number}' },
  shadowNotFound: { code: 10460, status: 404, message: 'the zone has no shadow' },
  logRetentionOff: {
    code: 10470,
    status: 403,
    message:
      'log retention is off for this zone: POST {"flag": true} to /zones/{zone}/logs/control/retention/flag to switch it on',
  },
  tooManyPulls: {
    code: 10471,
    status: 429,
    message: 'at most {limit} requests for records per {whom} and minute; try again in {seconds} s',
  },
  tooManyReaders: {
    code: 10472,
    status: 429,
    message: 'at most {limit} responses with records run at the same time; try again',
  },
  logsAway: { code: 10473, status: 503, message: 'the log records cannot be read; try again' },
  rayIdTooFar: {
    code: 10474,
    status: 400,
    message:
      'no record with this Ray ID was received since {since}, and there are too many older records to search; request a time range from /logs/received',
  },
  rayNotFound: {
    code: 10477,
    status: 404,
    message: 'no event and no record of the request {ray} was found; {searched}',
  },
  tooManyPreviews: {
    code: 10484,
    status: 429,
    message: 'too many exception previews are running; try again in a moment',
  },
  analyticsAway: { code: 10478, status: 503, message: 'analytics do not answer; try again' },
  tooManyExports: {
    code: 10479,
    status: 429,
    message: 'at most {limit} exports run at the same time; try again',
  },
  tooManyExported: {
    code: 10485,
    status: 400,
    message: '{count} records pass, and a file holds {limit} at most; shorten the range or filter more',
  },
  sqlRefused: { code: 10486, status: 400, message: 'the statement failed: {reason}' },
  tooManyStatements: {
    code: 10487,
    status: 429,
    message: 'at most {limit} statements run at the same time; try again',
  },
  jobNotFound: { code: 1003, status: 404, message: 'logpush job {id} not found' },
  datasetNotFound: { code: 1004, status: 404, message: "dataset '{dataset}' does not exist" },
  datasetElsewhere: {
    code: 1004,
    status: 400,
    message: "the dataset '{dataset}' is for jobs of {level}s only: use /{level}s/…",
  },
  tooManyJobs: {
    code: 1004,
    status: 403,
    message: 'creating a new job (for {dataset} dataset) is not allowed: exceeded max jobs allowed',
  },
  replayNotFound: { code: 10480, status: 404, message: 'replay {id} of logpush job {job} not found' },
  replayRange: { code: 10481, status: 400, message: 'no record of the range is stored any more: {reason}' },
  replayOfDisabled: {
    code: 10482,
    status: 400,
    message: 'the job is disabled; enable it first, with "start" to begin in the past',
  },
  tooManyReplays: {
    code: 10483,
    status: 403,
    message: 'at most {limit} replays of a job run at the same time',
  },
  sessionActive: {
    code: 1004,
    status: 403,
    message:
      'creating a new Instant Logs session is not allowed: the zone has an active one, which GET /zones/{zone}/logpush/edge/jobs shows; it ends 5 minutes after its last listener disconnects',
  },
  sessionNotFound: { code: 10490, status: 404, message: 'there is no such Instant Logs session' },
  sessionOver: {
    code: 10491,
    status: 410,
    message: 'the Instant Logs session is over: {reason}; create a new one',
  },
  tooManyListeners: { code: 10492, status: 429, message: 'too many Instant Logs listeners: {what}' },
  tooManyAttempts: {
    code: 10493,
    status: 429,
    message: 'at most {limit} attempts a minute to listen to Instant Logs; try again in {seconds} s',
  },
  upgradeRequired: {
    code: 10494,
    status: 426,
    message: 'this is the address of a WebSocket; connect with a WebSocket client',
  },
  traceNoZone: {
    code: 10495,
    status: 400,
    message: 'no zone of this account serves {host}; a new zone is served after a moment',
  },
  traceNoEdge: {
    code: 10496,
    status: 503,
    message:
      'this process has no edge, so it cannot trace requests; use a process with the roles control and edge',
  },
  tooManyTraces: { code: 10497, status: 429, message: 'too many requests are being traced; try again' },
  traceFailed: { code: 10498, status: 503, message: 'the edge did not answer; try again' },
  tooManySignIns: {
    code: 10505,
    status: 429,
    message: 'too many sign-ins from this address have failed; try again in a moment',
  },
  wrongOrigin: {
    code: 10506,
    status: 403,
    message: 'a page of another origin cannot listen to Instant Logs: {origin} is not {host}',
  },
  badOwnership: {
    code: 1002,
    status: 400,
    message:
      'incorrect ownership challenge: {reason}; POST …/logpush/ownership writes a new one to the destination',
  },
  badDestination: { code: 1002, status: 400, message: '{failure}' },
} as const satisfies Record<string, CatalogueEntry>

export type ErrorName = keyof typeof apiErrors

/** A refused request: thrown anywhere below a route, answered by the error handler. */
export class ApiError extends Error {
  readonly status: number
  readonly entries: readonly ErrorEntry[]
  constructor(status: number, entries: readonly ErrorEntry[]) {
    super(entries[0]?.message ?? 'refused')
    this.name = 'ApiError'
    this.status = status
    this.entries = entries
  }
}

/** An entry of the catalogue with its blanks filled. */
export function entry(
  name: ErrorName,
  values: Readonly<Record<string, string>> = {},
  pointer?: string,
): ErrorEntry {
  const { code, message } = apiErrors[name]
  const text = message.replace(/\{(\w+)\}/g, (blank, key: string) => values[key] ?? blank)
  return { code, message: text, ...(pointer === undefined ? {} : { source: { pointer } }) }
}

export function refusal(
  name: ErrorName,
  values: Readonly<Record<string, string>> = {},
  pointer?: string,
): ApiError {
  return new ApiError(apiErrors[name].status, [entry(name, values, pointer)])
}

/** Authentication headers that cannot be read: the outer code with the exact one chained to it. */
export function badHeader(name: 'badAuthorization' | 'badAuthKey' | 'badAuthEmail'): ApiError {
  return new ApiError(apiErrors.badRequestHeaders.status, [
    { ...entry('badRequestHeaders'), error_chain: [entry(name)] },
  ])
}

/** A token without the permission for the phase; Cloudflare has no code for this error. */
export function notAuthorized(): ApiError {
  return new ApiError(403, [{ message: 'request is not authorized' }])
}

/** Unknown paths, and paths with the id of an unknown account or zone. */
export function notRouted(url: string): ApiError {
  const path = url.split('?', 1)[0]!.replace(/^\/client\/v4(?=\/|$)/, '') || '/'
  return new ApiError(404, [entry('notRouted', { path }), entry('noRoute')])
}

export function refused(problem: Problem): ApiError {
  const { status, code, message, pointer } = problem
  return new ApiError(status, [{ code, message, ...(pointer ? { source: { pointer } } : {}) }])
}

/** The value of a check, or its problem thrown. */
export function accepted<T>(checked: Checked<T>): T {
  if (!checked.ok) throw refused(checked.problem)
  return checked.value
}
