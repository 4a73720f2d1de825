import { logpushLimits } from '../../kit/limits.ts'
import type { Checked } from '../../model/problem.ts'
import { refuse } from '../problems.ts'
import { fileSink } from './file/target.ts'
import { s3Sink } from './s3/target.ts'
import type { SinkKind, Target } from './sink.ts'

/** Every kind of destination. */
const kinds: readonly SinkKind[] = [s3Sink, fileSink]

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
  const known = kinds.map(candidate => `${candidate.scheme}://`).join(' and ')
  const found = scheme === undefined ? 'it has no scheme' : `'${scheme}://' is not known`
  return refuse(
    'invalidDestination',
    `destination_conf is not valid because ${found}; possible are ${known}`,
    '/destination_conf',
  )
}
