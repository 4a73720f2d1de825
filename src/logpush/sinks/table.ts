import type { Checked } from '../../model/problem.ts'
import { logpushLimits } from '../limits.ts'
import { refuse } from '../problems.ts'
import { azureSink } from './azure/target.ts'
import { datadogSink } from './datadog/target.ts'
import { elasticSink } from './elastic/target.ts'
import { fileSink } from './file/target.ts'
import { gsSink } from './gs/target.ts'
import { httpSink, httpsSink } from './https/target.ts'
import { kafkaSink } from './kafka/target.ts'
import { lokiSink } from './loki/target.ts'
import { newRelicSink } from './newrelic/target.ts'
import { r2Sink } from './r2/target.ts'
import { s3Sink } from './s3/target.ts'
import type { SinkKind, Target } from './sink.ts'
import { sentinelOneSink, splunkSink } from './splunk/target.ts'
import { stdoutSink } from './stdout/target.ts'
import { sumoSink } from './sumo/target.ts'

/** Every kind of destination. */
const kinds: readonly SinkKind[] = [
  s3Sink,
  r2Sink,
  gsSink,
  azureSink,
  httpsSink,
  httpSink,
  splunkSink,
  sentinelOneSink,
  datadogSink,
  newRelicSink,
  sumoSink,
  elasticSink,
  lokiSink,
  kafkaSink,
  fileSink,
  stdoutSink,
]

/** The schemes that a `destination_conf` can have. */
export const destinationSchemes: readonly string[] = kinds.map(({ scheme }) => scheme)

/** Reads a `destination_conf`. */
export function parseDestination(destinationConf: string): Checked<Target> {
  if (destinationConf.length > logpushLimits.destinationCharactersMax)
    return refuse(
      'invalidDestination',
      `destination_conf is longer than ${logpushLimits.destinationCharactersMax} characters`,
      '/destination_conf',
    )
  const scheme = /^([a-z0-9]+):/.exec(destinationConf)?.[1]
  const kind = kinds.find(candidate => candidate.scheme === scheme)
  if (kind !== undefined) return kind.parse(destinationConf)
  const known = destinationSchemes.map(name => `${name}://`).join(', ')
  const found = scheme === undefined ? 'it has no scheme' : `'${scheme}://' is not known`
  return refuse(
    'invalidDestination',
    `destination_conf is not valid because ${found}; possible are ${known}`,
    '/destination_conf',
  )
}
