/**
 * Every limit on input, with its unit, reason and what happens when it is reached.
 * One object a room; docs/limits.md tells users about them.
 */

export const httpLimits = {
  /** API request body; larger → 413. A ruleset with 1,000 long rules is about 5 MB. */
  apiBodyBytesMax: 8 * 1024 * 1024,
  /** Request line and headers at the edge; larger → 431. */
  headerBytesMax: 64 * 1024,
  /** Header lines of one request; more → 431. */
  headersMax: 200,
  /** Part of a request body that is inspected; the rest streams on and the record says so. */
  inspectedBodyBytesMax: 1024 * 1024,
  /** Part of a response body that is inspected when response rules are deployed. */
  inspectedResponseBytesMax: 1024 * 1024,
  /** A client has this long to send its headers. */
  headersTimeoutMs: 15_000,
  /** A client may stay silent this long in the middle of a body. */
  bodyIdleTimeoutMs: 30_000,
  /** A kept-alive connection may idle this long. */
  keepAliveTimeoutMs: 75_000,
  /** An origin has this long to begin its answer. */
  originHeadersTimeoutMs: 100_000,
} as const

export const rulesetLimits = {
  /** Characters of one expression (Cloudflare's own limit). */
  expressionCharactersMax: 4096,
  rulesPerRulesetMax: 1000,
  /** Names of custom log fields in a zone, all arrays together (mission, section 8). */
  customLogFieldsMax: 40,
  /** Bytes of custom field data in one record; the rest is cut (mission, section 8). */
  customLogDataBytesMax: 8192,
  /** Bytes of a header or cookie name. */
  fieldNameBytesMax: 256,
} as const

export const logpushLimits = {
  filterBytesMax: 1000,
  filterOperatorsMax: 30,
  destinationCharactersMax: 4096,
  /** A batch closes at this many records … */
  batchRecordsMax: 100_000,
  /** … or uncompressed bytes … */
  batchBytesMax: 64 * 1024 * 1024,
  /** … or this long after the job's last object. */
  batchIntervalMs: 30_000,
  jobsPerZoneMax: 100,
} as const

export const expressionLimits = {
  /** Parentheses, `not`, calls and quantifiers inside one another; deeper → the expression is refused. */
  nestingDepthMax: 128,
  /** Hashes around a raw string. */
  rawStringHashesMax: 255,
  /** Arguments of `concat`. */
  concatArgumentsMax: 32,
} as const
