import type { Dataset, FieldType } from '../../model/dataset.ts'
import { firewallEvents } from '../../model/datasets/firewall-events.ts'
import { httpRequests } from '../../model/datasets/http-requests.ts'

/**
 * Types of columns, and the form of their values in `Rows`. No column is nullable: a missing field has its type's empty
 * value (`''`, 0, false, an empty list; a missing object is `''`).
 *
 * - `text`: string
 * - `int`: number, 64 bits and signed
 * - `float`: number
 * - `bool`: boolean
 * - `ms`: a time with milliseconds; number of ms since the epoch
 * - `ns`: a time with nanoseconds; bigint of ns since the epoch
 * - `texts`: list of strings
 * - `ints`: list of numbers
 * - `json`: string with a JSON text. Objects have members that clients name, so they have no separate columns; both engines
 *   read JSON texts in queries.
 */
export type ColumnType = 'text' | 'int' | 'float' | 'bool' | 'ms' | 'ns' | 'texts' | 'ints' | 'json'

export interface Column {
  readonly name: string
  readonly type: ColumnType
  readonly description: string
}

export interface Table {
  readonly name: TableName
  readonly columns: readonly Column[]
}

export type TableName = 'http_requests' | 'firewall_events' | 'what_if_samples'

/** Version of the tables. Added columns need no other: an engine adds them to existing tables. */
export const tablesVersion = 1

function column(name: string, type: ColumnType, description: string): Column {
  return { name, type, description }
}

/** First columns of every table. Rows of one zone are read in the order of `time` and `id`. */
const ownColumns: readonly Column[] = [
  column('zone', 'text', 'Id of the zone'),
  column('account', 'text', 'Id of the account'),
  column('time', 'ms', 'When the request arrived'),
  column('id', 'int', 'Orders records of the same time; unique in a zone and time'),
]

const mitigated = column(
  'mitigated',
  'bool',
  'Whether the action held the request up: block, challenges, closed connections',
)
const rules = column(
  'rules',
  'texts',
  'Rules that matched, each once: the id, a space, and the number of a managed rule in its sources',
)

const columnTypes: { readonly [T in FieldType]: ColumnType } = {
  string: 'text',
  int: 'int',
  bool: 'bool',
  float: 'float',
  timestamp: 'ns',
  'array[string]': 'texts',
  'array[int]': 'ints',
  'array[object]': 'json',
  object: 'json',
}

/** Fields that the edge never knows have no column. */
function columnsOf({ fields }: Dataset): readonly Column[] {
  return fields
    .filter(({ from }) => from !== 'none')
    .map(({ name, type, description }) => column(name, columnTypes[type], description))
}

const sampleColumns: readonly Column[] = [
  column('ray', 'text', 'Id of the request'),
  column('client', 'text', 'Address of the client'),
  column('country', 'text', 'Country of the client, in lower case'),
  column('host', 'text', 'Host that the client asked for'),
  column('method', 'text', 'Method of the request'),
  column('path', 'text', 'Path of the request, without the query'),
  column('action', 'text', 'The action on the request, in lower case; empty without one'),
  column('s1', 'int', 'Points of the rules that match at paranoia level 1'),
  column('s2', 'int', 'The same at level 2'),
  column('s3', 'int', 'The same at level 3'),
  column('s4', 'int', 'The same at level 4'),
  column(
    'stops',
    'int',
    'Lowest level at which a rule stops the request regardless of the score; 0 without one',
  ),
  column('left_out', 'int', 'Requests that were not evaluated since the last sample of the same worker'),
  column(
    'cpu_us',
    'int',
    'Processor time of the evaluation, in microseconds; 0 when the zone had the result anyway',
  ),
  column('incomplete', 'bool', 'Whether the budget of work ended the evaluation'),
  column('matches', 'json', 'Rules that match: a list of [id, number in the sources, level, points]'),
]

/** Every table of records, by name. */
export const tables: { readonly [T in TableName]: Table } = {
  http_requests: {
    name: 'http_requests',
    columns: [
      ...ownColumns,
      mitigated,
      column(
        'mitigated_by',
        'text',
        'Source of the action that held the request up, in lower case; empty without one',
      ),
      rules,
      ...columnsOf(httpRequests),
    ],
  },
  firewall_events: {
    name: 'firewall_events',
    columns: [...ownColumns, mitigated, rules, ...columnsOf(firewallEvents)],
  },
  what_if_samples: { name: 'what_if_samples', columns: [...ownColumns, mitigated, ...sampleColumns] },
}
