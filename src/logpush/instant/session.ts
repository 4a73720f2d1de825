import { compileFilter, type LogPredicate } from '../../logfilter/index.ts'
import { httpRequests } from '../../model/datasets/http-requests.ts'
import type { Checked } from '../../model/problem.ts'
import type { InstantSession } from '../../model/resource.ts'
import { instantLimits } from '../limits.ts'
import { type LineEncoder, lineEncoder } from '../output/encode.ts'
import { findFields } from '../output/fields.ts'
import { ndjsonFormat } from '../output/format.ts'
import { accept, refuse, refuseFilter } from '../problems.ts'

/** The settings of a session as a person gives them; absent ones have their defaults. */
export type InstantWish = Partial<Pick<InstantSession, 'fields' | 'filter' | 'sample'>>

/** The compiled settings of a session. */
export interface InstantProgram {
  readonly test: LogPredicate
  readonly encode: LineEncoder
}

/**
 * Checks the settings of a session.
 * @returns without fields the dataset's default fields, so that the session states what its lines hold
 * @source Cloudflare, "Instant Logs"
 */
export function checkInstantSession(
  wish: InstantWish,
): Checked<Pick<InstantSession, 'fields' | 'filter' | 'sample'>> {
  const { fields: wanted = '', filter = '', sample = 1 } = wish
  const fields = wanted === '' ? httpRequests.defaultFields.join(',') : wanted
  if (!Number.isInteger(sample) || sample < 1 || sample > instantLimits.sampleMax)
    return refuse(
      'invalidField',
      `'${sample}' is not a valid value for sample because it has to be a whole number from 1 (every record) to ${instantLimits.sampleMax} (one in so many)`,
      '/sample',
    )
  const program = programOf({ fields, filter, sample })
  return program.ok ? accept({ fields, filter, sample }) : program
}

/** Why a session is over; undefined while it is not. */
export function instantSessionEnd(session: InstantSession, nowMs: number): 'age' | 'idle' | undefined {
  if (isTooOld(session, nowMs)) return 'age'
  return nowMs >= Date.parse(session.listenedOn) + instantLimits.idleMs ? 'idle' : undefined
}

export function isTooOld({ createdOn }: InstantSession, nowMs: number): boolean {
  return nowMs >= Date.parse(createdOn) + instantLimits.sessionMs
}

export function programOf({
  fields: names,
  filter,
  sample,
}: Pick<InstantSession, 'fields' | 'filter' | 'sample'>): Checked<InstantProgram> {
  const fields = findFields(names.split(','), httpRequests, () => '/fields')
  if (!fields.ok) return fields
  const format = ndjsonFormat(fields.value, 'unixnano', 1, false)
  // The weight of the line, for readers who add lines up.
  const texts = { ...format.texts, recordSuffix: `,"sampleInterval":${sample}}\n` }
  const encode = lineEncoder({ ...format, texts })
  if (filter === '') return accept({ test: () => true, encode })
  const compiled = compileFilter(filter, httpRequests)
  return compiled.ok ? accept({ test: compiled.test, encode }) : refuseFilter(compiled.problem)
}
