import type { Dataset, DatasetField } from '../model/dataset.ts'
import { type FilterKind, kindOf } from './operators.ts'

/**
 * Fields that the log of a dataset has and its filters cannot use, whatever their type.
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

/** How a filter of the dataset compares the field; `none` when it cannot be filtered on. */
export function filterKindOf(dataset: Dataset, field: DatasetField): FilterKind {
  return isBarred(dataset, field) ? 'none' : kindOf(field.type)
}

/** Is it the dataset that bars the field, and not its type? */
export function isBarred(dataset: Dataset, field: DatasetField): boolean {
  return barredFields.get(dataset.name)?.has(field.name) ?? false
}
