import { dimensionNumbers } from '../schema.ts'
import type { EventFilter } from '../types.ts'
import { rayNumber } from '../values.ts'
import type { Reader } from './reader.ts'

/** A filter in ids of the database. */
export interface Conditions {
  /** SQL over a row of `events`, `true` when everything matches; the same few texts for all filters. */
  readonly sql: string
  readonly values: readonly (number | bigint | string)[]
  /** The index that finds the events, when there is one. */
  readonly index:
    | { readonly name: string; readonly column: string; readonly value: number | bigint }
    | undefined
  readonly action: number | undefined
  readonly source: number | undefined
  /** Values that are counted for every hour, so that hours without them can be skipped. */
  readonly counted: readonly { readonly dimension: number; readonly anyOf: readonly number[] }[]
}

const columns = {
  action: 'action',
  source: 'source',
  rule: 'rule',
  country: 'country',
  path: 'path',
  method: 'method',
  host: 'host',
  client: 'client',
  userAgent: 'agent',
} as const

type Column = keyof typeof columns

/** @returns undefined when no event can match */
export function conditionsOf(filter: EventFilter, reader: Reader): Conditions | undefined {
  const numbers = new Map<Column, number>()
  for (const name of Object.keys(columns) as Column[]) {
    const wanted = filter[name]
    if (wanted === undefined) continue
    const id = reader.texts.find(wanted)
    if (id === undefined) return undefined
    numbers.set(name, id)
  }
  const matched = filter.matchedRule === undefined ? undefined : reader.texts.findRules(filter.matchedRule)
  const ray = filter.ray === undefined ? undefined : rayNumber(filter.ray)
  if (matched?.length === 0 || (filter.ray !== undefined && ray === undefined)) return undefined
  const index = indexFor(numbers, ray)
  const parts = [...numbers].filter(([name]) => columns[name] !== index?.column)
  return {
    sql: [
      'true',
      ...parts.map(([name]) => `${columns[name]} = ?`),
      ...(matched === undefined ? [] : [`(${matched.map(() => 'instr(rules, ?) > 0').join(' or ')})`]),
    ].join(' and '),
    values: [...parts.map(([, id]) => id), ...(matched ?? []).map(id => `,${id},`)],
    index,
    action: numbers.get('action'),
    source: numbers.get('source'),
    counted: countedIn(numbers, matched),
  }
}

function indexFor(numbers: ReadonlyMap<Column, number>, ray: bigint | undefined): Conditions['index'] {
  if (ray !== undefined) return { name: 'events_by_ray', column: 'ray', value: ray }
  const client = numbers.get('client')
  if (client !== undefined) return { name: 'events_by_client', column: 'client', value: client }
  const path = numbers.get('path')
  return path === undefined ? undefined : { name: 'events_by_path', column: 'path', value: path }
}

function countedIn(
  numbers: ReadonlyMap<Column, number>,
  matched: readonly number[] | undefined,
): Conditions['counted'] {
  const one = (dimension: number, id: number | undefined) =>
    id === undefined ? [] : [{ dimension, anyOf: [id] }]
  return [
    ...one(dimensionNumbers.rule, numbers.get('rule')),
    ...one(dimensionNumbers.country, numbers.get('country')),
    ...(matched === undefined ? [] : [{ dimension: dimensionNumbers.matched_rule, anyOf: matched }]),
  ]
}
