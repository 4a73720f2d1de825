import { limit, limits, tuning } from '../kit/limits.ts'

export const httpLimits = limits('HTTP at the edge', {
  headerBytesMax: limit(64 * 1024, 'bytes', 'Request line and headers of one request; larger → 431.'),
  headersMax: limit(200, 'count', 'Header lines of one request; more → 431.'),
  headersTimeoutMs: limit(15_000, 'ms', 'Time for a client to send its headers; longer → 408.'),
  keepAliveTimeoutMs: limit(
    75_000,
    'ms',
    'Time that a kept-alive connection may stay idle; then the edge closes it.',
  ),
  pipelinedBytesMax: limit(
    256 * 1024,
    'bytes',
    'Bytes that wait while a connection is busy: further requests (more → the edge closes the connection after that response), or data for a WebSocket that is not yet accepted (more → the edge cuts the connection off).',
  ),
  codingsMax: limit(
    3,
    'count',
    'Content codings around one body; more in a request whose body rules inspect → 415.',
  ),
  zstdWindowBits: limit(
    23,
    'bits',
    'Window of a body in zstd: 8 MiB, as RFC 8878 recommends; larger in a request whose body rules inspect → 400.',
  ),
  malformedBytesMax: limit(64 * 1024, 'bytes', 'Part of a malformed request that is read for its record.'),
  inspectedBodyBytesMax: limit(
    1024 * 1024,
    'bytes',
    'Part of a request body that rules inspect. The rest is forwarded, and the record says so.',
  ),
  inspectedResponseBytesMax: limit(
    1024 * 1024,
    'bytes',
    'Part of a response body that rules inspect when response rules are deployed.',
  ),
  droppedResponseBytesMax: limit(
    64 * 1024,
    'bytes',
    'Bytes of the origin that no client gets: a body that a custom error replaces, or the rest after the end of a coded body. After them, the connection to the origin is closed.',
  ),
  compressionFlushMs: tuning(
    10,
    'ms',
    'Time after which a compressed response has sent the bytes that came from the origin.',
  ),
  bodyIdleTimeoutMs: limit(
    30_000,
    'ms',
    'Time that a client may pause in the middle of a body; longer → 408. Time that a client may leave sent bytes of a response unread; longer → the edge cuts the connection off.',
  ),
  bodyGraceMs: limit(
    20_000,
    'ms',
    'Time by which a body may lag behind `bodyBytesPerSecondMin`; more → 408.',
  ),
  bodyBytesPerSecondMin: limit(
    500,
    'bytes per second',
    'Lowest rate of a request body. Early bytes gain no time for later ones. Time in which the edge or the origin does not read does not count.',
  ),
  gatheredBodyBytesMax: limit(
    16 * 1024,
    'bytes',
    'A request body of up to this announced length is read before the origin is asked; a longer one is streamed.',
  ),
  clientBodyShare: limit(
    0.25,
    'share',
    'Share of the memory for request bodies (`SLUICE_BODY_BYTES`) that one client address, or IPv6 /64, may use; more → 429.',
  ),
  clientBodyBytesMin: limit(
    4 * 1024 * 1024,
    'bytes',
    'Memory for request bodies that one client may use even where its share is smaller.',
  ),
  lingerBytesMax: limit(
    1024 * 1024,
    'bytes',
    'Part of a request body that is read and discarded after an early response, so that the client receives the response.',
  ),
  lingerMs: limit(2000, 'ms', 'Time for which it is read.'),
  tunnelIdleTimeoutMs: limit(
    600_000,
    'ms',
    'Time that an upgraded connection may be silent in both directions; then it is closed.',
  ),
  tunnelEndingMs: limit(
    2000,
    'ms',
    'When one side of an upgraded connection has ended, the other side has this long; then both are closed.',
  ),
  openingBytesMax: limit(
    16 * 1024,
    'bytes',
    'PROXY header or ClientHello of a connection; a larger one closes it.',
  ),
  openingTimeoutMs: limit(
    10_000,
    'ms',
    'Time for the PROXY header, and again for the TLS handshake; then the connection is closed.',
  ),
  http2StreamsMax: limit(100, 'count', 'Concurrent requests of one HTTP/2 connection.'),
  http2WindowBytes: limit(
    128 * 1024,
    'bytes',
    'Part of a request body that an HTTP/2 client may send before the edge reads it.',
  ),
  http2SessionMegabytes: limit(
    16,
    'MB',
    'Memory of one HTTP/2 connection; further requests on it are refused while it is used up.',
  ),
  http2ResetBurst: limit(
    200,
    'count',
    'Requests that an HTTP/2 client may cancel at once; then the edge closes the connection.',
  ),
  http2ResetsPerSecond: limit(
    33,
    'count per second',
    'Rate at which this allowance of cancelled requests recovers.',
  ),
  drainMs: limit(
    10_000,
    'ms',
    'Time that requests in flight have to finish when the edge shuts down; then they are cut off.',
  ),
  retireMs: limit(
    600_000,
    'ms',
    'Time that requests in flight and WebSockets have to finish in a process that `sluice supervise` has replaced; then they are cut off.',
  ),
  retireIdleMs: limit(
    10_000,
    'ms',
    'Time in which an idle connection of a replaced process may send one more request; then it is closed.',
  ),
})

export const proxiedLimits = limits('Behind another proxy', {
  proxiedWaitingMax: limit(
    5000,
    'count',
    'Requests of one worker that have passed and whose response the proxy has not reported yet; one more → the oldest is recorded without its response.',
  ),
  proxiedAnswerMs: limit(
    120_000,
    'ms',
    'Time for the proxy to report the response; longer → the request is recorded without it.',
  ),
})

export const originLimits = limits('Origins', {
  originNamesMax: limit(
    64,
    'count',
    'Server names for TLS with open connections at one origin; beyond it, idle connections are closed.',
  ),
  originsKeptMax: limit(
    1024,
    'count',
    'Origins whose connections and failures one worker remembers; beyond it, the least recently used idle one is closed.',
  ),
  originWaitingMax: limit(
    1024,
    'count',
    'Requests of one worker that wait for a connection to one origin; one more → 503.',
  ),
  originWaitMs: limit(
    10_000,
    'ms',
    'Time that a request waits for a connection to its origin; longer → 503.',
  ),
  originTriesMax: limit(
    3,
    'count',
    'Servers of one host name that are tried for a request, before any of the response was sent.',
  ),
  originFailuresMax: limit(
    3,
    'count',
    'Requests in a row that a server does not answer; then it is ejected.',
  ),
  originEjectionMs: limit(
    10_000,
    'ms',
    'Time for which an ejected server gets no requests, unless all servers of the name are ejected.',
  ),
  originHeadersTimeoutMs: limit(
    100_000,
    'ms',
    'Time for an origin to begin its response, unless the zone setting `proxy_read_timeout` sets it; longer → 504.',
  ),
  originHttp2StreamsMax: limit(
    200,
    'count',
    'Concurrent requests of one HTTP/2 connection to an origin, unless the origin allows fewer; more open a further connection.',
  ),
  originHttp2CancelsMax: limit(
    100,
    'count',
    'Requests that clients may cancel on one HTTP/2 connection to an origin; then further requests get another one. Origins close connections with many cancelled requests.',
  ),
  originRefusalsMax: limit(
    5,
    'count',
    'Times that a request is sent again because the origin has not processed it (`REFUSED_STREAM`, `GOAWAY`).',
  ),
  originHttp2WindowBytes: limit(
    128 * 1024,
    'bytes',
    'Part of a response that an origin may send over HTTP/2 before the client reads it.',
  ),
  originHttp2ConnectionWindowBytes: tuning(
    1024 * 1024,
    'bytes',
    'The same for all responses of a connection together. The edge reads a connection at once, so it only covers the way.',
  ),
  originHttp2SessionMegabytes: limit(
    16,
    'MB',
    'Memory of one HTTP/2 connection to an origin, without the parts of bodies.',
  ),
  originHttp2IdleMs: limit(
    60_000,
    'ms',
    'Time that an HTTP/2 connection to an origin may stay idle; then the edge closes it.',
  ),
  originStalledMs: limit(
    60_000,
    'ms',
    'Time that an origin may leave sent bytes of a request body unread before it begins its response; longer → 504.',
  ),
  originIdleTimeoutMs: limit(
    600_000,
    'ms',
    'Time that an origin may pause in the middle of a response, unless `proxy_read_timeout` sets it; server-sent events can be quiet for minutes.',
  ),
})

export const ruleLimits = limits('Rulesets', {
  expressionBodyBytesMax: limit(
    128 * 1024,
    'bytes',
    "Part of a body that expressions see (Cloudflare's own limit).",
  ),
  checkedPasswordsMax: limit(
    10,
    'count',
    'Passwords of one request that are looked up in the list of leaked passwords.',
  ),
  checkedPasswordBytesMax: limit(1024, 'bytes', 'A password that is looked up; a longer one is not.'),
  rewrittenBytesMax: limit(
    16 * 1024,
    'bytes',
    'A path, query, header value or redirect target that a rule computes; longer → the rule does nothing, and `WAFFlags` of the record has the bit 0x4.',
  ),
  rateScoreMax: limit(
    2 ** 31,
    'count',
    'Points that one response may add to the score of a client; a larger number in its header counts as this.',
  ),
})

export const challengeLimits = limits('Challenges', {
  challengeSeconds: limit(300, 's', 'Time to solve a challenge.'),
  clearanceSeconds: limit(1800, 's', 'Time for which a solved challenge lets its client through.'),
  challengeBits: limit(
    17,
    'bits',
    "Leading zero bits of a solution's hash: 131,072 tries on average, under a second in a browser.",
  ),
  challengeBodyBytesMax: limit(4096, 'bytes', 'Body of a solved challenge; larger → 413.'),
})

export const headerNameLimits = limits('HTTP at the edge', {
  namesKept: tuning(
    1000,
    'count',
    'Header names of which a worker remembers who owns them; then the memory is cleared.',
  ),
  rememberedCharactersMax: tuning(64, 'characters', 'Longest header name that is remembered.'),
})

export const recordLimits = limits('Log records', {
  recordedTargetBytesMax: limit(
    256,
    'bytes',
    'A matched target (`ARGS:name`) in records. A client chooses the name, and every rule may match it.',
  ),
  recordedDataBytesMax: limit(4096, 'bytes', "A matched rule's message and data in the audit log."),
  spanTextBytesMax: limit(1024, 'bytes', 'A path, a host or a User-Agent in a span; the rest is cut.'),
  eventMatchesMax: limit(100, 'count', 'Matched rules that a firewall event lists with their scores.'),
  customLogDataBytesMax: limit(8192, 'bytes', 'Custom field data in one record; the rest is cut.'),
  matchedValueBytesMax: limit(4096, 'bytes', 'One matched value in an encrypted payload; the rest is cut.'),
  matchedDataBytesMax: limit(
    32 * 1024,
    'bytes',
    'One payload before it is encrypted; larger → the record says `truncated`.',
  ),
  encryptionsMax: limit(
    256,
    'count',
    'Payloads that one worker encrypts at the same time; one more → the record says `truncated`.',
  ),
  userAgentCharactersMax: tuning(
    512,
    'characters',
    'Part of a User-Agent that is read to tell programs from browsers.',
  ),
  userAgentsKept: tuning(1000, 'count', 'User-Agents whose kind is remembered; then the memory is cleared.'),
  geoAddressesKept: tuning(
    10_000,
    'count',
    'Addresses whose location is remembered; then the memory is cleared.',
  ),
  geoRecordsMax: tuning(
    10_000,
    'count',
    'Decoded records of one location database that are kept; then the memory is cleared.',
  ),
  refusalsToldMs: limit(
    10_000,
    'ms',
    'Interval of log lines while requests are refused because the record log is full.',
  ),
})

export const backgroundLimits = limits('Shadow and What if', {
  shadowsMax: limit(
    256,
    'count',
    'Requests of one worker that wait for their shadow or sample; one more is left out.',
  ),
  shadowBytesMax: limit(
    64 * 1024 * 1024,
    'bytes',
    'Bodies that these requests keep in memory; beyond it, a request is left out.',
  ),
})

export const edgeSampleLimits = limits('Shadow and What if', {
  cpuShare: limit(
    0.02,
    'share',
    "Share of a worker's time that samples may take; beyond it, a sample is left out and counted.",
  ),
  cpuSavedMsMax: tuning(500, 'ms', 'Unused time for samples that may be saved up.'),
  waitingMax: limit(
    32,
    'count',
    'Requests of a worker that are in flight and kept for their sample; beyond it, the oldest is left out.',
  ),
  countedZonesMax: tuning(
    10_000,
    'count',
    'Zones whose left-out samples one worker counts separately; the metrics count all.',
  ),
})

export const measureLimits = limits('Metrics', {
  zonesMeasuredMax: limit(
    50,
    'count',
    'Zones that each worker counts separately in its metrics: the busiest ones. The others share the zone `other`.',
  ),
  requestsPerChoice: tuning(
    20_000,
    'count',
    'Requests of a worker between two choices of the busiest zones.',
  ),
})
