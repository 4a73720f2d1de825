import { limit, limits, tuning } from '../../kit/limits.ts'

export const destinationLimits = limits('Destinations of Logpush', {
  checkMs: limit(
    9000,
    'ms',
    'Time for a destination to take the test of a check; longer → it is refused. API clients repeat a call after 60 s.',
  ),
  connectMs: limit(5000, 'ms', 'Time to resolve the name of a destination and to connect, with TLS.'),
  headersMs: limit(30_000, 'ms', 'Time for a destination to begin its answer to one request.'),
  receiverMs: limit(
    60_000,
    'ms',
    'Time of one request to a receiver; longer → the upload fails and is repeated.',
  ),
  objectMs: limit(
    120_000,
    'ms',
    'Time of one request to Google Cloud Storage or Azure; longer → the upload fails and is repeated.',
  ),
  retryAfterMsMax: limit(
    3_600_000,
    'ms',
    'Longest wait that a destination may ask for with `Retry-After`; a longer one counts as this.',
  ),
  quotedBytesMax: limit(
    4096,
    'bytes',
    'Part of an answer that is read for the message of a failure; the rest is not read.',
  ),
  answerBodyMs: tuning(
    2000,
    'ms',
    'Time of reading such an answer, so that it does not delay the delivery, and of a pause in any other; then nothing more is read.',
  ),
  objectAnswerBytesMax: limit(
    64 * 1024,
    'bytes',
    'Answer of S3 or Google Cloud Storage to an upload; the rest is not read.',
  ),
  secretCharactersMin: limit(
    4,
    'characters',
    'Shortest secret of a destination that is removed from quoted answers; shorter ones would remove words.',
  ),
  headersMax: limit(50, 'count', 'Parameters `header_*` of a receiver; more → 400.'),
  elasticAnswerBytesMax: limit(
    16 * 1024 * 1024,
    'bytes',
    'Answer of Elasticsearch or OpenSearch to one `_bulk` request; longer → the upload fails.',
  ),
  googleTokenBytesMax: limit(16 * 1024, 'bytes', "Answer of Google's token service; longer → no token."),
  googleMetadataMs: limit(
    2000,
    'ms',
    'Time for the metadata service of a machine at Google to answer; longer → no credentials.',
  ),
  kafkaBrokersMax: limit(16, 'count', 'Brokers that a Kafka destination may name; more → 400.'),
  kafkaConnectMs: limit(3000, 'ms', 'Time to connect to a Kafka broker. It is tried twice in one check.'),
  kafkaAnswerMs: limit(30_000, 'ms', 'Time for a Kafka broker to answer one request.'),
  kafkaIterationsMax: limit(
    100_000,
    'count',
    'Iterations of SCRAM that a Kafka broker may ask for; more → the sign-in fails. Brokers allow 16,384.',
  ),
  lokiLabelsMax: limit(15, 'count', 'Parameters `label_*` of a Loki destination; more → 400.'),
  lokiBehindMsMax: limit(
    1_800_000,
    'ms',
    'Age of a line when it was written, up to which Loki gets its own time; an older one gets the time of its writing.',
  ),
})
