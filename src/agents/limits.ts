import { limit, limits } from '../kit/limits.ts'

export const agentLimits = limits('Behind another proxy', {
  agentHeaderBytesMax: limit(64 * 1024, 'bytes', 'Headers of one request over HTTP; larger → 431.'),
  agentAnswerBytesMax: limit(
    12 * 1024,
    'bytes',
    'Compressed page in a header for nginx; a longer page is left out, and nginx sends its own.',
  ),
  agentPageBytesMax: limit(256 * 1024, 'bytes', 'The same page, uncompressed.'),
  spoeFrameBytesMin: limit(
    256,
    'bytes',
    'Lowest `max-frame-size` that HAProxy may announce; lower → the connection is refused.',
  ),
  spoeFrameBytesMax: limit(1024 * 1024, 'bytes', 'One frame of HAProxy; a larger one closes the connection.'),
  spoeMessageBytesMax: limit(
    2 * 1024 * 1024,
    'bytes',
    'A message of several frames; a larger one closes the connection.',
  ),
  spoeMessagesMax: limit(
    100,
    'count',
    'Messages in progress on one connection of HAProxy; further ones wait.',
  ),
  spoeHelloMs: limit(10_000, 'ms', 'Time for HAProxy to begin a connection; longer → it is closed.'),
  spoeThreadAnswerMs: limit(
    5000,
    'ms',
    "Time for the thread of a request to answer HAProxy's report of the response; longer → the response passes without its rules, and is counted. HAProxy itself waits for `timeout processing`, 2 s in `deploy/`.",
  ),
  passedResponsesToldMs: limit(
    60_000,
    'ms',
    'Interval of log lines about responses that passed without their rules.',
  ),
  envoyMessageBytesMax: limit(4 * 1024 * 1024, 'bytes', 'One message of Envoy; a larger one is refused.'),
  envoyDrainMs: limit(2000, 'ms', 'Time for calls of Envoy to end when Sluice shuts down.'),
  agentRetireMs: limit(
    10_000,
    'ms',
    'Time in which a replaced process (`sluice supervise`) still answers requests on open connections.',
  ),
  refusedProxiesToldMs: limit(60_000, 'ms', 'Interval of log lines about proxies that may not ask.'),
})
