import type { Dataset } from '../../../../../src/model/dataset.ts'
import { faultsOf } from '../destinations/kind.ts'
import { confOf, kindById } from '../destinations/kinds.ts'
import { challengeOf, type Draft, valuesOf } from '../draft.ts'
import { type FilterState, stateOfText, stateOfTree } from '../filter/edited.ts'

export type StepId = 'destination' | 'ownership' | 'dataset' | 'fields' | 'filter' | 'format' | 'review'

export interface Step {
  readonly id: StepId
  readonly title: string
  /** What has to be done there before the job can be made. */
  readonly missing: string | undefined
}

/**
 * The steps of a draft, in order.
 * @param knownConf destination of the job that is edited: it needs no new proof
 */
export function stepsOf(draft: Draft, filter: FilterState, knownConf: string | undefined): readonly Step[] {
  const asksOwnership = needsOwnership(draft, knownConf)
  const steps: readonly (Step | undefined)[] = [
    { id: 'destination', title: 'Destination', missing: destinationFault(draft) },
    asksOwnership
      ? {
          id: 'ownership',
          title: 'Ownership',
          missing: challengeOf(draft) === '' ? 'The ownership challenge is not answered.' : undefined,
        }
      : undefined,
    { id: 'dataset', title: 'Dataset', missing: undefined },
    { id: 'fields', title: 'Fields', missing: draft.fields.length === 0 ? 'No field is chosen.' : undefined },
    {
      id: 'filter',
      title: 'Filter',
      missing: filter.fault === undefined ? undefined : `The filter is not valid: ${filter.fault.message}.`,
    },
    { id: 'format', title: 'Format', missing: formatFault(draft) },
    { id: 'review', title: 'Review', missing: undefined },
  ]
  return steps.filter(step => step !== undefined)
}

export function needsOwnership(draft: Draft, knownConf: string | undefined): boolean {
  const kind = kindById(draft.kind)
  const values = valuesOf(draft)
  return (kind.needsOwnership?.(values) ?? false) && confOf(kind, values) !== knownConf
}

export function filterStateOf(draft: Draft, dataset: Dataset): FilterState {
  return draft.filterText === undefined
    ? stateOfTree(draft.filter, dataset)
    : stateOfText(draft.filterText.trim(), dataset)
}

function destinationFault(draft: Draft): string | undefined {
  const kind = kindById(draft.kind)
  const faults = faultsOf(kind, valuesOf(draft))
  const field = kind.fields.find(({ name }) => faults[name] !== undefined)
  return field === undefined ? undefined : `${kind.title}, ${field.label}: ${faults[field.name]}.`
}

/** What of the batch settings does not fit; undefined when all do. */
export function amountFault(text: string, min: number, max: number): string | undefined {
  if (text.trim() === '') return undefined
  const amount = Number(text)
  const fits = Number.isInteger(amount) && amount >= min && amount <= max
  return fits
    ? undefined
    : `A whole number from ${min.toLocaleString('en')} to ${max.toLocaleString('en')}, or nothing`
}

export const amounts = {
  seconds: { min: 30, max: 300 },
  records: { min: 1000, max: 1_000_000 },
  bytes: { min: 5_000_000, max: 1_000_000_000 },
} as const

export const namePattern = /^[a-zA-Z0-9._-]{0,512}$/

function formatFault(draft: Draft): string | undefined {
  for (const name of ['seconds', 'records', 'bytes'] as const) {
    const fault = amountFault(draft[name], amounts[name].min, amounts[name].max)
    if (fault !== undefined) return `${fault}.`
  }
  const rate = draft.options['sample_rate']
  if (rate !== undefined && rate !== null && !(typeof rate === 'number' && rate > 0 && rate <= 1))
    return 'The share of lines is above 0 and at most 1.'
  return undefined
}
