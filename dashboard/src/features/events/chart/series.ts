import type { SecurityTimeseries } from '../../../api/types.ts'
import { valueLabel } from '../filter/value-label.ts'
import type { RuleNames } from '../use-rule-names.ts'
import { otherColour, seriesColour } from '../words.ts'

/** Dimensions that can stack the bars. */
export const groups = [
  { value: 'action', label: 'Action' },
  { value: 'rule_id', label: 'Acting rule' },
  { value: 'matched_rule_id', label: 'Matched rule' },
  { value: 'path', label: 'Path' },
  { value: 'country', label: 'Country' },
  { value: 'client_ip', label: 'Client' },
] as const

export type Grouping = (typeof groups)[number]['value']

/** One colour of the chart: a value of the dimension, and its events by bar. */
export interface ChartSeries {
  readonly value: string
  readonly label: string
  readonly colour: string
  readonly total: number
  readonly counts: readonly number[]
}

export function seriesOf(
  { series, other, group_by }: SecurityTimeseries,
  names: RuleNames,
): readonly ChartSeries[] {
  const shown = series.map(({ value, ref, total, counts }, index) => ({
    value,
    label: valueLabel(group_by, value, ref, names),
    colour: seriesColour(group_by, value, index),
    total,
    counts,
  }))
  if (other === null || other.total === 0) return shown
  return [...shown, { ...other, value: '', label: 'Other', colour: otherColour }]
}
