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
  /** Characters of a name, description or ref of rulesets and rules; more → 400. */
  textCharactersMax: 4096,
  /** Rules of one ruleset; more → 400. */
  rulesPerRulesetMax: 1000,
  /** Names of custom log fields in a zone, all arrays together. */
  customLogFieldsMax: 40,
  /** Bytes of custom field data in one record; the rest is cut. */
  customLogDataBytesMax: 8192,
  /** Bytes of a header or cookie name. */
  fieldNameBytesMax: 256,
  /** Bytes of the content that a block rule answers with (Cloudflare's own limit). */
  blockContentBytesMax: 2048,
  /** Headers that one rewrite rule changes (Cloudflare's own limit); more → 400. */
  headerChangesMax: 30,
  /** Characteristics of one rate limit; more → 400. */
  rateLimitCharacteristicsMax: 20,
  /** Targets of one skip rule; more → 400. */
  skipTargetsMax: 100,
} as const

/** Plans of zones, which the edge builds from their documents. */
export const planLimits = {
  /** Compiled expressions kept for zones that have the same; the oldest goes. */
  expressionsKept: 20_000,
  /** Overrides and exceptions of one program known to be the same in several zones; the oldest goes. */
  sharedPerProgramMax: 20_000,
  /** Zones whose documents are read at once while many plans are built. */
  zonesPerPage: 100,
  /** Plans are built this long before others have their turn. */
  sliceMs: 5,
} as const

/** Custom lists of an account. */
export const listLimits = {
  /** Lists of one account; one more → 400. */
  listsPerAccountMax: 100,
  /** Characters of a list's name (Cloudflare's own limit). */
  nameCharactersMax: 50,
  /** Characters of a description or comment (Cloudflare's own limit). */
  descriptionCharactersMax: 500,
  /** Items of one list; an operation that would leave more fails. */
  itemsPerListMax: 100_000,
  /** Items of one request, added or deleted; more → 400. */
  itemsPerRequestMax: 100_000,
  /** Items of one change that the audit trail names; of more it keeps the number. */
  itemsAuditedMax: 1000,
  /** Items of one page (Cloudflare's own limit); more asked → 400. */
  itemsPerPageMax: 500,
  /** Items of a page when `per_page` is not given. */
  itemsPerPageDefault: 100,
  /** Characters of a redirect's URL. */
  urlCharactersMax: 2048,
  /** Operations of one process that have not ended, with their items in memory; more → 429. */
  operationsOpenMax: 32,
  /** An operation can be asked about this long after its end. */
  operationKeptMs: 7 * 24 * 60 * 60 * 1000,
} as const

export const logpushLimits = {
  /** UTF-8 bytes of a filter; more → 400. */
  filterBytesMax: 1000,
  /** Criteria, `and` and `or` of a filter, each one; more → 400. */
  filterOperatorsMax: 30,
  /** Characters of each prefix, suffix and delimiter of `output_options`; more → 400. */
  outputTextCharactersMax: 4096,
  /** Characters of `record_template`; more → 400. All fields of a dataset take about 5,000. */
  outputTemplateCharactersMax: 32_768,
  /** Characters of `destination_conf`; more → 400. */
  destinationCharactersMax: 4096,
  /** A batch closes at this many records … */
  batchRecordsMax: 100_000,
  /** … or uncompressed bytes … */
  batchBytesMax: 64 * 1024 * 1024,
  /** … or this long after the job's last object. */
  batchIntervalMs: 30_000,
  /** The same for jobs of the frequency `low`. */
  lowBatchRecordsMax: 1_000_000,
  lowBatchIntervalMs: 300_000,
  /** Records of one partition, and bytes of records, that delivery reads at a time. */
  sliceRecords: 500,
  sliceBytes: 1024 * 1024,
  /** Entries of the audit trail that delivery reads at a time. */
  auditEntriesRead: 100,
  /** Text of a batch is compressed in pieces of this many characters, in other threads. */
  gzipPieceCharacters: 256 * 1024,
  /** Delivery does other things after working on records for this long. */
  turnMs: 5,
  /** A destination has this long to take a batch; then it is tried again. */
  uploadMs: 300_000,
  /** From here on an object goes to S3 in parts, so that one broken connection does not cost all of it. */
  multipartBytesMin: 16 * 1024 * 1024,
  /** Amazon allows 5 MiB to 5 GiB, and 10,000 parts. */
  multipartPartBytes: 8 * 1024 * 1024,
  /** Jobs of one zone; one more → 403. */
  jobsPerZoneMax: 100,
  /** Jobs of one account, those of its zones not counted; one more → 403. */
  jobsPerAccountMax: 100,
  /** Replays of one job that run at the same time; one more → 403. */
  replaysRunningMax: 10,
  /** What came of uploads is counted an hour and shown for this long, days; earlier → 400. */
  countedDays: 30,
} as const

export const expressionLimits = {
  /** Parentheses, `not`, calls and quantifiers inside one another; deeper → the expression is refused. */
  nestingDepthMax: 128,
  /** Hashes around a raw string. */
  rawStringHashesMax: 255,
  /** Arguments of `concat`. */
  concatArgumentsMax: 32,
  /** Elements that `split` may be asked for. */
  splitPiecesMax: 128,
  /** References to captured texts in one replacement of `regex_replace` or `wildcard_replace`. */
  replacementReferencesMax: 8,
  /**
   * Bytes that the functions of one expression make in one evaluation, all results together (an element of an array
   * counts as 16); what would be more is missing. A hundred functions of a whole body make less.
   */
  madeBytesMax: 16 * 1024 * 1024,
  /**
   * Instructions that the regular expressions of one expression come to in one evaluation, some 25 ms; more → the rule
   * cannot be evaluated, which `SLUICE_ON_ERROR` decides about. Known texts cost next to nothing.
   */
  matchWorkMax: 1_000_000,
  /** Stars of one wildcard pattern. */
  wildcardStarsMax: 64,
  /** Objects and arrays inside one another that JSON lookups follow; a deeper document has no values. */
  jsonDepthMax: 512,
} as const

/** What fields of expressions make of one request. */
export const fieldLimits = {
  /** Arguments of one query or form; what follows becomes one last argument, so that rules still see it. */
  argumentsMax: 5000,
  /** Cookies of one request; what follows becomes one last cookie. */
  cookiesMax: 1000,
  /** Parts of one multipart body; what follows belongs to the last one, so that rules still see it. */
  multipartPartsMax: 1000,
  /** Header lines of one part; further ones are not read. */
  multipartPartHeadersMax: 64,
  /** Bytes of a boundary (RFC 2046 section 5.1.1); with a longer one there are no parts. */
  multipartBoundaryBytesMax: 70,
  /** Languages of one request that are put in order; further ones are left out. */
  languagesMax: 100,
} as const

export const seclangLimits = {
  /** One source file; a larger one is refused. The largest of the CRS is about 150 KB. */
  sourceBytesMax: 8 * 1024 * 1024,
  /** Mistakes reported of one load; the rest is not looked at. */
  diagnosticsMax: 100,
  /** Files that include each other; deeper is refused (it also ends circles). */
  includeDepthMax: 16,
  /** Files of one load, each time that one is included; more is refused. */
  sourcesMax: 2000,
  /** Links under one rule; more is refused. The CRS has at most 5. */
  chainLinksMax: 64,
} as const

/** Bodies and values inside the engine. Where a parser stops, it reports an error and keeps what it has. */
export const wafLimits = {
  /** Sets of rules that values are searched for, of one program; masks beyond them share the set of all rules. */
  searchesMax: 24,
  /** Work of one request, in bytes looked at; used up → the rest is not evaluated, and the caller decides (`overBudget`). */
  workMax: 512 * 1024 * 1024,
  /** The engine lets others run after this long. */
  sliceMs: 1,
  /** Values up to this length are remembered with the rules that they match … */
  memoValueBytesMax: 256,
  /** … in this much memory a program. */
  memoBytesMax: 8 * 1024 * 1024,
  /** States of the automaton that looks for literals; rules whose literals have no room are tried without it. */
  gateStatesMax: 60_000,
  /** Arguments of one source (query, body); what follows becomes one last argument, and an error is reported. */
  argumentsMax: 1000,
  /** Cookies of one header; what follows becomes one last cookie. */
  cookiesMax: 1000,
  /** Objects and arrays inside one another; deeper → error. */
  jsonDepthMax: 512,
  /** Bytes of one argument name made from a path of JSON keys; longer → error. Names repeat in every leaf. */
  jsonNameBytesMax: 8192,
  /** Bytes of all these names of one document together; more → error. */
  jsonNamesBytesMax: 512 * 1024,
  /** Elements inside one another; deeper → error. */
  xmlDepthMax: 256,
  /** Elements of one document; more → error. */
  xmlElementsMax: 100_000,
  /** Attribute values of one document, each inspected on its own; more → error. */
  xmlAttributesMax: 4096,
  /** Attributes of one element; more → error. */
  xmlElementAttributesMax: 256,
  /** Bytes of the Content-Type header that names a boundary; longer → error. */
  multipartContentTypeBytesMax: 1024,
  /** Bytes of a boundary (RFC 2046 section 5.1.1); longer → error. */
  multipartBoundaryBytesMax: 70,
  /** Parts without a file name; more → error. */
  multipartFieldsMax: 1000,
  /** Parts with a file name that are kept; more → MULTIPART_FILE_LIMIT_EXCEEDED. */
  multipartFilesMax: 100,
  /** Header lines of one part, foldings counted; more → error. */
  multipartPartHeadersMax: 64,
  /** Bytes of one header line of a part, foldings joined; longer → error. */
  multipartPartHeaderBytesMax: 4096,
  /** Phrases of one `@pm` dictionary; more → the rule is refused. */
  phrasesMax: 100_000,
  /** Bytes of one phrase; longer → the rule is refused. */
  phraseBytesMax: 16 * 1024,
  /** Patterns kept by an `@rx` whose parameter has macros; the oldest goes. */
  expandedPatternsMax: 8,
  /** Bytes of an `@rx` pattern after macro expansion; longer → no match. */
  expandedPatternBytesMax: 4096,
  /** Bytes that `@verifyCC` and `@verifySSN` may search in one value, restarts counted; spent → no match. */
  verifyBytesMax: 4 * 1024 * 1024,
} as const

/** Explanations of what rules made of a request. */
export const explainLimits = {
  /** Bytes shown of one value, name or parameter; the rest is cut and the whole length told. */
  valueBytesMax: 256,
  /** Values shown of one link of a rule; how many there are besides is told. */
  valuesMax: 32,
  /** Bytes of a request's text that `sluice explain` reads; more is refused. */
  requestBytesMax: 4 * 1024 * 1024,
} as const

/** What one request may make the rules remember. */
export const transactionLimits = {
  /** Names in TX, or in one persistent record; a rule that sets one more sets nothing. */
  variablesMax: 10_000,
  /** Bytes of one variable's value after macro expansion; the rest is cut. */
  variableBytesMax: 256 * 1024,
  /** Values that MATCHED_VARS keeps within one chain; later ones are matched, but not kept. */
  matchedVariablesMax: 4096,
  /** Records of persistent collections of one kind (clients); the one unused for longest goes. */
  persistentRecordsMax: 10_000,
  /** Bytes of names and values in one such record; what has no room is not kept. */
  persistentRecordBytesMax: 8 * 1024,
  /** Bytes of a record's key that count. */
  persistentKeyBytesMax: 1024,
} as const

export const storeLimits = {
  /** Entries of the audit trail that are kept, of all accounts together; the oldest go. */
  auditEntriesKept: 100_000,
  /** Bytes of JSON of a resource before or after a change in the audit trail; a longer one is replaced by its length. */
  auditValueBytesMax: 256 * 1024,
  /** Replays of one job that are kept; older ones that have ended go. */
  replaysKept: 100,
  /** Change entries that one read returns; the follower asks again. */
  changesPerReadMax: 1000,
  /** Older entries go once a newer one names the same resource, so that late followers miss nothing. */
  changesKept: 10_000,
  /** A call tries this long to get past other writers, then fails as `unavailable`. */
  busyMsMax: 10_000,
  /** SQLite waits for a lock inside the call, which holds up the event loop: not for long. */
  sqliteBlockedMsMax: 20,
  /** Connections to PostgreSQL of one process; further calls wait for one. */
  postgresConnectionsMax: 8,
  /** A connection to PostgreSQL must stand within this time; else the call fails as `unavailable`. */
  postgresConnectMsMax: 5000,
  /** A statement, or an idle transaction, that takes longer is ended by the server. */
  postgresStatementMsMax: 30_000,
} as const

export const redactionLimits = {
  /** Query parameters of a zone whose values are taken out by name; more → 400. */
  parametersMax: 100,
  /** Characters of the name of one; more → 400. */
  parameterCharactersMax: 128,
} as const

export const instantLimits = {
  /** A session ends this long after it was made … */
  sessionMs: 60 * 60 * 1000,
  /** … or this long after somebody last listened. */
  idleMs: 5 * 60 * 1000,
  /** One in so many records at most is what a session may ask for; more → 400. */
  sampleMax: 10_000,
  /** Characters of `fields`; more → 400. All names of the dataset take about 2,300. */
  fieldsCharactersMax: 8192,
  /** Connections that listen to one session in one process; one more → 429. */
  listenersMax: 5,
  /** Sessions that are listened to in one process; one more → 429. */
  sessionsMax: 20,
  /** Attempts to listen from one address in a minute; more → 429. */
  attemptsMax: 60,
  /** Addresses whose attempts are counted; of more, the one counted longest is forgotten. */
  addressesKept: 10_000,
  /** Bytes that wait for a listener; while there are more, lines for it are left out and counted. */
  waitingBytesMax: 512 * 1024,
  /** Records of a partition that are looked at before anything else is done … */
  chunkRecords: 250,
  /** … and their bytes. */
  chunkBytes: 256 * 1024,
  /** Further behind the newest record of a partition than this, what lies between is passed over. */
  behindRecordsMax: 50_000,
  /** Bytes of a message from a listener, who has nothing to say; more → it is hung up on. */
  messageBytesMax: 1024,
  /** Messages and pings of a listener in all; one more → it is hung up on. */
  messagesMax: 1000,
  /** A listener is asked this often whether it is there; without an answer until the next time it is hung up on. */
  pingMs: 30_000,
  /** At a stop, and when a session ends, a listener has this long to say goodbye. */
  farewellMs: 2000,
} as const

export const logpullLimits = {
  /** Milliseconds between `start` and `end`; more → 400. */
  rangeMsMax: 60 * 60 * 1000,
  /** `start` is at most this long ago; earlier → 400. */
  ageMsMax: 7 * 24 * 60 * 60 * 1000,
  /** `end` is at least this long ago, so that every record of the range is there; later → 400. */
  settledMs: 60_000,
  /** Requests for records of one zone in a minute; more → 429. */
  zoneRequestsMax: 15,
  /** Requests for records by one user in a minute; more → 429. */
  userRequestsMax: 180,
  /** Zones and users whose requests are counted; of more, the one counted longest is forgotten. */
  countersKept: 1000,
  /** Answers that are being written at the same time; one more → 429. */
  readersMax: 4,
  /** An answer takes no longer than this: it is broken off and says so. */
  answerMsMax: 600_000,
  /** Uncompressed bytes of an answer: it is broken off and says so. */
  answerBytesMax: 10 * 1024 * 1024 * 1024,
  /** A client that takes less than a chunk in this time is hung up on. */
  stalledMs: 30_000,
  /** Records of a chunk … */
  chunkRecords: 250,
  /** … and their bytes; an answer has about two chunks in memory. */
  chunkBytes: 256 * 1024,
  /** Records that are looked through for a ray id; not found among them → 400. */
  rayRecordsMax: 2_000_000,
} as const

/** `GET /zones/{id}/logs/sample`. */
export const logSampleLimits = {
  /** Records of an answer; more → 400. */
  countMax: 1000,
  /** Records of an answer when `count` is not given. */
  countDefault: 100,
  /** Records of all zones that are looked through for one answer; then it ends with what was found. */
  recordsMax: 200_000,
  /** Bytes of the records of one answer, as they are kept; then it ends with what was found. */
  bytesMax: 4 * 1024 * 1024,
  /** How long records are looked through; then the answer ends with what was found. */
  readMsMax: 2000,
  /** Records that are read at once … */
  chunkRecords: 250,
  /** … and their bytes. */
  chunkBytes: 256 * 1024,
  /** Requests for samples of one zone in a minute; more → 429. */
  zoneRequestsMax: 60,
  /** Zones whose requests are counted; of more, the one counted longest is forgotten. */
  countersKept: 1000,
  /** Answers that are being read at the same time; one more → 429. */
  readersMax: 4,
} as const

/** `POST /accounts/{id}/request-tracer/trace`. */
export const traceLimits = {
  /** Characters of the URL; more → 400. */
  urlCharactersMax: 32_768,
  /** Header lines, those that Sluice adds not counted; more → 400. */
  headersMax: 256,
  /** Bytes of the request line and all header lines; more → 400. At the edge it would be 431. */
  headBytesMax: 64 * 1024,
  /** Bytes of the body; more → 400. The rules look at no more either. */
  bodyBytesMax: 1024 * 1024,
  /** Requests that one edge worker traces at the same time; one more → 429. */
  runningMax: 4,
  /** Matched rules of one run of a managed ruleset that are listed; how many there are besides is told. */
  matchesMax: 200,
  /** Bytes of a matched value that are shown; the rest is cut. */
  valueBytesMax: 512,
  /** Values of one condition of a rule that are shown. */
  valuesMax: 4,
  /** Bytes of a body up to which it is told why each rule matched: that takes another run, in which nothing is left out. */
  explainedBodyBytesMax: 64 * 1024,
  /** An edge worker has this long to answer; then → 503. */
  answerMs: 20_000,
} as const

export const busLimits = {
  /** A change is announced within 300 ms: the poll has a third of it. */
  changePollMs: 100,
  /** UTF-8 bytes of one log record; longer → dropped and reported. NATS takes 1 MiB with headers. */
  recordBytesMax: 1_000_000,
  /** Records waiting to be written, bytes; more → the newest are dropped and reported. */
  queueBytesMax: 64 * 1024 * 1024,
  /** A writer that failed tries again after this long. */
  retryMs: 500,
  /** A spool segment that has reached this size is followed by a new one; with a small quota earlier. */
  segmentBytes: 16 * 1024 * 1024,
  /** Segments are not made smaller than this, however small the quota. */
  segmentBytesMin: 64 * 1024,
  /** Parts of the quota: one for the newest segments of all partitions, one for those that follow, the others for the rest. */
  segmentQuotaShare: 16,
  /** A segment that holds this part of the retention time is followed by a new one: one in so many. */
  segmentAgeShare: 24,
  /** A segment is not followed by a new one for its age before this. */
  segmentAgeMsMin: 60_000,
  /** With the policy `interval`, what was written is synced to the disk this long after. */
  syncIntervalMs: 1000,
  /** A clock that is set back by no more than this does not turn the times of records back. */
  clockStepMsMax: 60_000,
  /** A writer waits this long for another process to give up its partition. */
  partitionLockMsMax: 1000,
  /** Places that a reader remembers; one job uses one in each partition. */
  readerPositionsMax: 256,
  /** Messages published to NATS and not yet acknowledged. */
  natsInFlightMax: 1024,
  /** A message not acknowledged by then is published again, under the same id. */
  natsAckMsMax: 3000,
  /** Messages asked of NATS at once. */
  natsFetchMax: 1000,
  /** Counts of rate limits kept at once on one machine, in 21 MB; where there is no room, the one that ends soonest goes. */
  rateCountersMax: 524_288,
} as const

export const apiLimits = {
  /** Objects and arrays inside each other in a request body; deeper → 400. Documents use about 8. */
  jsonDepthMax: 64,
  /** Entries of `errors` in one answer; the rest is left out. */
  errorsMax: 20,
  /** Items of one page of a list (Cloudflare's own limit); more asked → 400. */
  perPageMax: 50,
  /** Items of a page when `per_page` is not given. */
  perPageDefault: 20,
  /** Writes that wait for their turn at one account or zone; more → 429. */
  waitingWritesMax: 100,
  /** A client has this long to send a request with its body; later → 400 and the connection is closed. */
  requestTimeoutMs: 60_000,
  /** Entries of one page of the audit trail; more asked → 400. */
  auditPerPageMax: 1000,
  /** Entries of a page of the audit trail when `per_page` is not given. */
  auditPerPageDefault: 100,
  /** When a token was used last is known to this much: a busy token is not a write a request. */
  tokenUseNotedMs: 60_000,
  /** Policies of one token; more → 400. */
  tokenPoliciesMax: 50,
  /** Permission groups of one policy; more → 400. */
  policyGroupsMax: 100,
  /** Resources of one policy, those inside others included; more → 400. */
  policyResourcesMax: 1000,
  /** CIDR blocks in each list of a token's condition; more → 400. */
  conditionBlocksMax: 100,
} as const

export const edgeLimits = {
  /** Bytes of a matched target (`ARGS:name`) in records: a client chooses the name, and every rule may match it. */
  recordedTargetBytesMax: 256,
  /** Bytes of a matched rule's message and data in the audit log. */
  recordedDataBytesMax: 4096,
  /** Characters of a User-Agent that are looked at to tell programs from browsers … */
  userAgentCharactersMax: 512,
  /** … and how many of these are remembered; then it starts afresh. */
  userAgentsKept: 1000,
  /** A connection to an origin must stand within this time; else 504. */
  originConnectTimeoutMs: 10_000,
  /** An origin may stay silent this long in the middle of an answer; server-sent events can be quiet for minutes. */
  originIdleTimeoutMs: 600_000,
  /** A request body of this announced length at most is gathered before the origin is asked; longer ones stream. */
  gatheredBodyBytesMax: 16 * 1024,
  /** Request line … headers of an origin's answer; larger → 502. */
  originHeaderBytesMax: 64 * 1024,
  /** An upgraded connection without a byte in either direction is closed after this long. */
  tunnelIdleTimeoutMs: 600_000,
  /** Requests in flight may end within this time when the edge closes; then they are cut off. */
  drainMs: 10_000,
  /** After an early answer this much of the request body is still read and thrown away, so that the client sees it … */
  lingerBytesMax: 1024 * 1024,
  /** … for this long at most. */
  lingerMs: 2000,
  /** Body of a solved challenge; larger → 413. */
  challengeBodyBytesMax: 4096,
  /** Solved challenges that are remembered, so that each counts once; the oldest goes. */
  solvedChallengesMax: 50_000,
  /** A challenge must be solved within this time. */
  challengeSeconds: 300,
  /** A clearance lets its client through for this time. */
  clearanceSeconds: 1800,
  /** Leading zero bits of a solution's hash: 131,072 tries on average, under a second in a browser. */
  challengeBits: 17,
  /** Bytes of an unreadable request that are read for the record. */
  malformedBytesMax: 64 * 1024,
  /** Bytes of a body that expressions see (Cloudflare's own limit); of a longer one they see the beginning. */
  expressionBodyBytesMax: 128 * 1024,
  /** Bytes of a path, query, header value or redirect target that a rule works out; a longer one is not used. */
  rewrittenBytesMax: 16 * 1024,
  /** Records of one database of places that are kept decoded; then it starts afresh. */
  geoRecordsMax: 10_000,
  /** What one answer may add to the score of a client; a larger number in its header counts as this. */
  rateScoreMax: 2 ** 31,
  /** Bytes of one matched value in an encrypted payload; the rest is cut. */
  matchedValueBytesMax: 4096,
  /** Bytes of one encrypted payload before it is encrypted; larger → the record says `truncated`. */
  matchedDataBytesMax: 32 * 1024,
  /** Payloads of one worker that are being encrypted; one more → the record says `truncated`. */
  encryptionsMax: 256,
  /** Matched rules that a firewall event lists with their scores. */
  eventMatchesMax: 100,
  /** Requests of one worker that wait for their shadow or their sample; one more goes without. */
  shadowsMax: 256,
  /** Bytes of the bodies that these requests keep; more → goes without. */
  shadowBytesMax: 64 * 1024 * 1024,
} as const

export const samplingLimits = {
  /** Share of a zone's requests that are sampled until somebody says otherwise. */
  defaultRate: 0.01,
  /** Share of a worker's time that samples may take; when it is used up a sample is left out and counted. */
  cpuShare: 0.02,
  /** Milliseconds of it that may be saved up. */
  cpuSavedMsMax: 500,
  /** Requests of a worker that are kept for their sample and have not ended; then the oldest goes without, as streams do. */
  waitingMax: 32,
  /** Matched rules of a sample that are written down; all of them score. */
  matchesMax: 100,
  /** Zones whose left out samples are counted apart at a worker; beyond, they are counted in the metrics alone. */
  countedZonesMax: 10_000,
  /** Samples of one zone that are kept, of those that some setting would act on; then the oldest go … */
  keptPerZoneMax: 100_000,
  /** … and of all zones together. */
  keptMax: 1_000_000,
  /** How often samples that are too old or too many are looked for. */
  keepMs: 60_000,
  /** Thresholds that one matrix may ask about; more → 400. */
  thresholdsMax: 10,
  /** Paths, clients and rules of one cell, each; more asked → 400. */
  topMax: 100,
  /** Those when `limit` is not given. */
  topDefault: 10,
  /** Examples of one cell. */
  examples: 20,
} as const

export const previewLimits = {
  /** Events that a preview of an exception replays, newest first; it says where it stopped. */
  eventsMax: 100_000,
  /** It also stops after this long. */
  totalMs: 4000,
  /** Events of one turn; between two, other questions are answered. */
  pageEvents: 2000,
  /** A turn ends after this long. */
  pageMs: 200,
  /** Examples of each outcome. */
  examplesPerOutcome: 5,
  /** Previews that are under way at the same time; one more → 429. */
  runningMax: 4,
} as const

export const regexLimits = {
  /** Longest pattern; the longest of the CRS has 12,126 bytes. */
  patternBytesMax: 64 * 1024,
  /** Groups and classes within each other. */
  nestingMax: 250,
  /** Capture groups of one pattern; more → the pattern is refused. */
  groupsMax: 99,
  /** Upper bound of `{n,m}`. */
  repeatMax: 1000,
  /**
   * Instructions of one automaton; more → the pattern is refused. The largest of the CRS needs about 7,300. They are
   * numbered with 16 bits.
   */
  instructionsMax: 50_000,
  /**
   * The same of a pattern of the rules language, which anybody who edits rules writes: the time for a byte of the worst
   * input grows with it, and so does memory. The 4,096 characters of an expression need less, unless they repeat.
   */
  ruleInstructionsMax: 16_384,
  /** States that a lazy automaton keeps; then it starts afresh. */
  dfaStatesMax: 10_000,
  /** States that one scan makes; more → it goes on without keeping any. */
  dfaStatesPerScanMax: 5_000,
  /** Bytes that a lazy automaton keeps in tables; then it starts afresh. */
  dfaBytesMax: 4 * 1024 * 1024,
  /** Bytes in the tables of all automata of the process; more → those that did not grow for longest are emptied. */
  dfaBytesTotalMax: 64 * 1024 * 1024,
  /** Memory for what failed in patterns with look-around or possessive quantifiers; input too long for it → no match. */
  backtrackBitsMax: 256 * 1024 * 1024,
  /** Work on patterns with back-references; used up → no match, as at ModSecurity's match limit. */
  backtrackStepsMin: 100_000,
  /** Steps added for each byte of input … */
  backtrackStepsPerByte: 200,
  /** … up to this many: some tenths of a second. */
  backtrackStepsMax: 20_000_000,
} as const

/** What is taken from outside as a CRS release; more or larger → the import is refused. */
export const crsLimits = {
  /** Which release is the newest upstream is asked again after this time … */
  upstreamKeptMs: 6 * 3_600_000,
  /** … or this, when upstream did not answer. */
  upstreamRetryMs: 600_000,
  /** The list of releases that upstream's server sends; 30 of them are about 0.5 MB. */
  releaseListBytesMax: 8 * 1024 * 1024,
  /** Upstream's archive, compressed; 4.28.0 is about 0.3 MB. */
  archiveBytesMax: 16 * 1024 * 1024,
  /** The same unpacked, which bounds what a small archive can grow to. */
  unpackedBytesMax: 128 * 1024 * 1024,
  /** A public key or a detached signature. */
  signatureBytesMax: 1024 * 1024,
  /** One rule or phrase file. */
  fileBytesMax: 8 * 1024 * 1024,
  /** Files of one release. */
  filesMax: 500,
  /** One answer of upstream's server, from the question to its last byte. */
  downloadMs: 10_000,
  /** One run of the package manager. */
  packageCommandMs: 120_000,
  /** Compiled programs, and images of such, kept in memory; the one unused for longest goes. */
  programsMax: 4,
  /** Images of programs kept on disk; the oldest goes. */
  imagesMax: 8,
  /** One image on disk; a larger one is not read, and the rules are compiled. That of 4.28.0 has about 10 MB. */
  imageBytesMax: 256 * 1024 * 1024,
} as const

/** What is seen of requests: kept beside the database, and answered from there. */
export const analyticsLimits = {
  /** Characters of a path, User-Agent or other text that is found and counted by; of longer ones the beginning. */
  textCharactersMax: 1024,
  /** Texts whose numbers the thread that writes remembers; then it starts afresh. */
  textsKnownMax: 50_000,
  /** Part of the room that texts may take: one in so many. Then new ones that clients choose are not told apart. */
  textsShare: 4,
  /** Matched rules of one record that are counted; of more, the first. */
  matchedRulesMax: 500,
  /** Events that are compressed together … */
  blockRecords: 64,
  /** … unless they have more characters than this. */
  blockCharacters: 256 * 1024,
  /** Bytes of a block that is read. */
  blockBytesMax: 64 * 1024 * 1024,
  /** Records of one partition that are written at once … */
  batchRecords: 5000,
  /** … and their bytes. */
  batchBytes: 8 * 1024 * 1024,
  /** How long nothing is read after there was nothing. */
  pollMs: 500,
  /** How long nothing is read after a failure. */
  retryMs: 5000,
  /** How long one process waits for another that writes. */
  blockedMsMax: 5000,
  /** Memory of each of the two threads for pages of the database. */
  cacheKib: 64 * 1024,
  /** How often what is too old or too much is looked for. */
  keepMs: 60_000,
  /** Events of one zone that are removed at once. */
  eventsRemoved: 20_000,
  /** Blocks of events that are removed at once when there is no room. */
  blocksRemoved: 500,
  /** Hours of counts that are removed at once when there is no room and no event is left. */
  hoursRemoved: 6,
  /** Pages of the file that are given back at once. */
  vacuumPages: 1000,
  /** Paths, clients, hosts and User-Agents of a zone that are counted apart in an hour; the others are one sum … */
  valuesPerHour: 1000,
  /** … from this long after its end; until then all are. */
  foldAfterMs: 3_600_000,
  /** Hours that are looked at again, in case that records came late. */
  foldedAgainHours: 25,
  /** Questions of clients that are answered at the same time; others wait, and are left out when who asked has left. */
  askedMax: 2,
  /** Questions that wait for their answer; one more → 503. */
  waitingMax: 200,
  /** Range of one question; longer → 400. */
  rangeMsMax: 31 * 86_400_000,
  /** Events of a page; more asked → 400. */
  pageMax: 1000,
  /** Events of a page when `limit` is not given. */
  pageDefault: 100,
  /** Events that are looked through for one page; then it ends, and its cursor goes on … */
  scannedMax: 1_000_000,
  /** … those of one client or path, which lie apart. */
  lookedUpMax: 100_000,
  /** Events that are looked through before the page is looked at. */
  windowEvents: 50_000,
  /** Steps of one time series; more → 400. */
  pointsMax: 1500,
  /** Steps that a time series has at most when `step` is not given. */
  pointsDefault: 300,
  /** Series with a name in one answer; the rest is `other`. */
  seriesMax: 10,
  /** Values of one top list; more asked → 400. */
  topMax: 100,
  /** Values of a top list when `limit` is not given. */
  topDefault: 10,
  /** Ranges with no more events are counted from the events themselves; others from counts of whole hours, or, where a filter is to pass, only their newest part is. */
  exactEventsMax: 300_000,
  /** Zones that the overview of an account lists; those with the most requests. */
  overviewZonesMax: 1000,
  /** The same when `limit` is not given. */
  overviewZonesDefault: 100,
  /** Zones that the overview of an account is asked for by their ids; more → 400. */
  zonesAskedMax: 50,
  /** How long the record log is searched for the request of a ray id; then the answer goes without. */
  raySearchMs: 5000,
  /** Such searches at the same time; one more goes without. */
  raySearchesMax: 4,
  /** Exports that are written at the same time; more → 429. */
  exportsMax: 4,
  /** Events that an export reads at once. */
  exportPage: 200,
  /** A client that takes nothing of an export for this long is cut off. */
  exportStalledMs: 30_000,
} as const
