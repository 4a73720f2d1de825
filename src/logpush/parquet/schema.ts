import type { SchemaElement } from 'hyparquet'
import type { Column, ColumnKind } from '../output/columns.ts'

type Leaf = Omit<SchemaElement, 'name'>

const text: Leaf = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } }
const integer: Leaf = { type: 'INT64' }

const leaves: Readonly<Record<Exclude<ColumnKind, 'strings' | 'ints'>, Leaf>> = {
  string: text,
  int: integer,
  digits: integer,
  float: { type: 'DOUBLE' },
  bool: { type: 'BOOLEAN' },
  json: { type: 'BYTE_ARRAY', converted_type: 'JSON', logical_type: { type: 'JSON' } },
  millis: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  nanos: {
    type: 'INT64',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'NANOS' },
  },
}

/**
 * The schema of a file with these columns. No column has nulls: a record without the field has its empty value.
 * @source Apache Parquet, "Logical types": lists have three levels
 */
export function schemaOf(columns: readonly Column[]): SchemaElement[] {
  const root = { name: 'records', num_children: columns.length }
  return [root, ...columns.flatMap(elementsOf)]
}

function elementsOf({ name, kind }: Column): SchemaElement[] {
  const repetition_type = 'REQUIRED'
  if (kind !== 'strings' && kind !== 'ints') return [{ ...leaves[kind], name, repetition_type }]
  return [
    { name, repetition_type, num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { ...(kind === 'strings' ? text : integer), name: 'element', repetition_type },
  ]
}
