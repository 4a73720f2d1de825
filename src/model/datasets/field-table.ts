import type { DatasetField, FieldType } from '../dataset.ts'

/** Fields of a dataset from a text with one a line: name | type | description | source. */
export function fieldsOf(table: string): readonly DatasetField[] {
  return table.trim().split('\n').map(fieldOf)
}

function fieldOf(line: string): DatasetField {
  const [name, type, description, from] = line.split(' | ')
  return { name: name!, type: type as FieldType, description: description!, from: from! }
}
