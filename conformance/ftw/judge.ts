import type { Answer } from './send.ts'
import type { Stage } from './suite.ts'

/** The fields of an audit log line that the judge needs. */
export interface AuditRecord {
  readonly matched: readonly { readonly id: number; readonly message?: string; readonly data?: string }[]
}

/** @returns failed conditions; empty if the stage passes */
export function judge(
  output: Stage['output'],
  answer: Answer,
  record: AuditRecord | undefined,
): readonly string[] {
  if (output['expect_error'] === 'true')
    return answer.status === 0 ? [] : [`an error was expected, the answer was ${answer.status}`]
  const matched = record?.matched ?? []
  const ids = new Set(matched.map(match => match.id))
  const lines = matched.map(logLine)
  const faults: string[] = []

  const statuses = list(output['status']).map(Number)
  if (statuses.length > 0 && !statuses.includes(answer.status))
    faults.push(`status is ${answer.status}, not ${statuses.join(' or ')}`)
  const log = (output['log'] ?? {}) as { readonly [key: string]: unknown }
  for (const id of list(log['expect_ids'])) if (!ids.has(Number(id))) faults.push(`rule ${id} did not match`)
  for (const id of list(log['no_expect_ids'])) if (ids.has(Number(id))) faults.push(`rule ${id} matched`)
  const wanted = text(log['match_regex']) ?? text(output['log_contains'])
  if (wanted !== undefined && !lines.some(line => new RegExp(wanted).test(line)))
    faults.push(`no log line has ${wanted}`)
  const unwanted = text(log['no_match_regex']) ?? text(output['no_log_contains'])
  if (unwanted !== undefined && lines.some(line => new RegExp(unwanted).test(line)))
    faults.push(`a log line has ${unwanted}`)
  const inAnswer = text(output['response_contains'])
  if (inAnswer !== undefined && !new RegExp(inAnswer).test(answer.raw))
    faults.push(`the answer lacks ${inAnswer}`)
  if (output['isolated'] === 'true' && ids.size !== 1) faults.push(`${ids.size} rules matched, not one`)
  return faults
}

/** A match as in ModSecurity's log: on one line, control characters escaped. */
function logLine({ id, message = '', data = '' }: AuditRecord['matched'][number]): string {
  const escaped = (text: string) =>
    text.replaceAll(/[\x00-\x1f]/g, char => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
  return `[id "${id}"] [msg "${escaped(message)}"] [data "${escaped(data)}"]`
}

/** Positive tests require that a rule matches; without one a product with no rules at all would pass. */
export function isPositive(output: Stage['output']): boolean {
  const log = (output['log'] ?? {}) as { readonly [key: string]: unknown }
  return (
    list(log['expect_ids']).length > 0 ||
    text(log['match_regex']) !== undefined ||
    output['log_contains'] !== undefined
  )
}

function list(value: unknown): readonly string[] {
  return Array.isArray(value) ? value : typeof value === 'string' ? [value] : []
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
