import type { Dataset, DatasetField } from '../../src/model/dataset.ts'
import { datasets } from '../../src/model/datasets/table.ts'
import { code, page, table } from './markdown.ts'

export function datasetsPage(): string {
  return page('Datasets', 'src/model/datasets', [
    'A log push job names fields of its dataset. Names and types are those of Cloudflare. [logpush.md](logpush.md) says how jobs, filters and timestamps work.',
    ...[...datasets.values()].flatMap(sectionsOf),
  ])
}

/** What one record of a dataset is. */
const records: Readonly<Record<string, string>> = {
  http_requests: 'One record a request.',
  firewall_events:
    'One record for each thing that a security rule did to a request: stopped or challenged it, logged it, or let it skip rules. The shape of `Metadata` is in [payload-logging.md](payload-logging.md).',
  audit_logs:
    'One record for each change made through the API, of the account and of its zones: the entries of `GET /accounts/{account_id}/audit_logs`. Jobs of an account can deliver it, those of zones cannot.',
}

function sectionsOf({ name, fields, defaultFields }: Dataset): readonly string[] {
  const filled = fields.filter(field => field.from !== 'none')
  const empty = fields.filter(field => field.from === 'none')
  return [
    `## ${code(name)}`,
    `${records[name]} A job that names no fields gets ${defaultFields.map(code).join(', ')}.`,
    `### Filled (${filled.length})`,
    table(
      ['Field', 'Type', 'Meaning', 'Filled from'],
      filled.map(field => [...rowOf(field), field.from]),
    ),
    ...(empty.length === 0 ? [] : sectionOfEmpty(empty)),
  ]
}

function sectionOfEmpty(empty: readonly DatasetField[]): readonly string[] {
  return [
    `### Empty (${empty.length})`,
    'Jobs may name these fields, so that configurations carry over. An edge that you run yourself does not know their values: a line shows the empty value of the type (`""`, `0`, `false`, `[]`, `{}`).',
    table(['Field', 'Type', 'Meaning'], empty.map(rowOf)),
  ]
}

function rowOf({ name, type, description }: DatasetField): readonly string[] {
  return [code(name), type, description]
}
