import { compileFilter } from '../logfilter/index.ts'
import type { Dataset } from '../model/dataset.ts'
import { datasets } from '../model/datasets/table.ts'
import type { Json, JsonObject } from '../model/resource.ts'
import { type Coverage, enforced } from './enforcement.ts'
import { blockIn, isGiven, refused } from './planned-values.ts'

/** A `cloudflare_logpush_job` of a plan or state. Its destination is checked by an apply only. */
export function coverPlannedJob(values: JsonObject): Coverage {
  const name = String(values['dataset'] ?? 'http_requests')
  const dataset = datasets.get(name)
  if (dataset === undefined)
    return refused(`there is no dataset ${name}; the datasets are ${[...datasets.keys()].join(', ')}`)
  const level = isGiven(values['account_id']) ? 'account' : 'zone'
  if (!dataset.scopes.includes(level))
    return refused(`the dataset ${name} is for jobs of ${dataset.scopes[0]}s only`)
  const stranger = fieldsOf(values).find(field => !dataset.fields.some(known => known.name === field))
  if (stranger !== undefined) return refused(`${name} has no field ${stranger}`)
  return filterFault(values['filter'], dataset) ?? enforced
}

/** The fields that the job names, in `output_options`, else in `logpull_options`. */
function fieldsOf(values: JsonObject): readonly string[] {
  const output = blockIn(values, 'output_options')
  if (output !== undefined) {
    const names = output['field_names']
    return Array.isArray(names) ? names.map(String) : []
  }
  const names = new URLSearchParams(String(values['logpull_options'] ?? '')).get('fields') ?? ''
  return names === '' ? [] : names.split(',')
}

function filterFault(filter: Json | undefined, dataset: Dataset): Coverage | undefined {
  if (!isGiven(filter)) return undefined
  const compiled = compileFilter(String(filter), dataset)
  return compiled.ok ? undefined : refused(`the filter is not valid: ${compiled.problem.message}`)
}
