import type { Dataset } from '../../model/dataset.ts'
import type { Checked } from '../../model/problem.ts'
import { accept, refuse } from '../problems.ts'
import { findFields } from './fields.ts'
import { type LineFormat, ndjsonFormat } from './format.ts'
import type { TimestampFormat } from './timestamp.ts'

/** `start`, `end` and `count` of a pasted URL select records; a job delivers all of them. */
const known = ['fields', 'timestamps', 'sample', 'CVE-2021-44228', 'start', 'end', 'count']
const timestampNames: readonly string[] = ['unixnano', 'unix', 'rfc3339'] satisfies TimestampFormat[]

/**
 * Reads `logpull_options`: `fields=A,B&timestamps=rfc3339&sample=0.1&CVE-2021-44228=true`, or a whole Logpull URL, of
 * which only the query counts. No fields means the dataset's default set, no timestamps means unixnano.
 * @source Cloudflare, "Logpull options" of Logpush jobs
 */
export function parseLogpullOptions(
  options: string,
  dataset: Dataset,
  pointer = '/logpull_options',
): Checked<LineFormat> {
  const refuseHere = (message: string) => refuse('invalidField', message, pointer)
  const query = options.includes('?') ? options.slice(options.indexOf('?') + 1) : options
  const parameters = new URLSearchParams(query.replaceAll('+', '%2B'))
  for (const name of parameters.keys())
    if (!known.includes(name))
      return refuseHere(
        `unknown option "${name}": the options are fields, timestamps, sample and CVE-2021-44228`,
      )
  const timestamps = parameters.get('timestamps') ?? 'unixnano'
  if (!timestampNames.includes(timestamps))
    return refuseHere(
      `'${timestamps}' is not a valid value for timestamps because it must be one of ${timestampNames.join(', ')}`,
    )
  const sample = parameters.get('sample') ?? '1'
  const sampleRate = /^[\d.]{1,20}$/.test(sample) ? Number(sample) : Number.NaN
  if (!(sampleRate > 0 && sampleRate <= 1))
    return refuseHere(`'${sample}' is not a valid value for sample because it must be above 0 and at most 1`)
  const defuse = parameters.get('CVE-2021-44228') ?? 'false'
  if (defuse !== 'true' && defuse !== 'false')
    return refuseHere(`'${defuse}' is not a valid value for CVE-2021-44228 because it must be true or false`)
  const names = parameters.get('fields') ?? ''
  const fields = findFields(names === '' ? [] : names.split(','), dataset, () => pointer)
  if (!fields.ok) return fields
  return accept(ndjsonFormat(fields.value, timestamps as TimestampFormat, sampleRate, defuse === 'true'))
}
