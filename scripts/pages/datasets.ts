import type { Dataset, DatasetField } from '../../src/model/dataset.ts'
import { datasets } from '../../src/model/datasets/table.ts'
import { code, page, table } from './markdown.ts'

export function datasetsPage(): string {
  return page('Datasets', 'src/model/datasets', [
    "A [Logpush](logpush.md) job names fields of its dataset. [Logpull](logs.md#logpull) and [Instant Logs](logs.md#instant-logs) have the fields of `http_requests`, and [searches](logs.md#search) also the fields of `firewall_events`. Names and types are Cloudflare's.",
    `On this page: ${[...datasets.keys()].map(name => `[${code(name)}](#${name})`).join(' | ')}`,
    ...[...datasets.values()].flatMap(sectionsOf),
  ])
}

/** The meaning of one record of each dataset. */
const records: Readonly<Record<string, string>> = {
  http_requests: 'One record per request.',
  firewall_events:
    'One record for each action of a security rule on a request: block, challenge, log or skip. [Firewall events](zones.md#firewall-events) describes `Metadata`.',
  audit_logs:
    'One record for each change made through the API, of the account and of its zones: the entries of `GET /accounts/{account_id}/audit_logs`. Only jobs of an account can deliver it.',
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
    'Jobs may name these fields, so that you can move configurations unchanged. A self-hosted edge does not know their values: a line has the empty value of the type (`""`, `0`, `false`, `[]`, `{}`).',
    table(['Field', 'Type', 'Meaning'], empty.map(rowOf)),
  ]
}

function rowOf({ name, type, description }: DatasetField): readonly string[] {
  return [code(name), type, description]
}
