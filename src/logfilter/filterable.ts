import type { Dataset, DatasetField } from '../model/dataset.ts'
import { type FilterKind, kindOf } from './operators.ts'

/**
 * Fields in the log of a dataset that its filters cannot use, with any type.
 * @source Cloudflare, "Logpush filters": limitations of the firewall events dataset
 */
const barredFields: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'firewall_events',
    new Set([
      'Action',
      'Description',
      'Kind',
      'MatchIndex',
      'Metadata',
      'OriginatorRayID',
      'RuleID',
      'Source',
    ]),
  ],
])

/** How a filter of the dataset compares the field; `none` if it cannot be filtered on. */
export function filterKindOf(dataset: Dataset, field: DatasetField): FilterKind {
  return isBarred(dataset, field) ? 'none' : kindOf(field.type)
}

/** Whether the dataset excludes the field, as opposed to its type. */
export function isBarred(dataset: Dataset, field: DatasetField): boolean {
  return barredFields.get(dataset.name)?.has(field.name) ?? false
}
