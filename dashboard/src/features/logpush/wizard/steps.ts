import type { Dataset } from '../../../../../src/model/dataset.ts'
import { faultsOf } from '../destinations/kind.ts'
import { confOf, kindById } from '../destinations/kinds.ts'
import { challengeOf, type Draft, valuesOf } from '../draft.ts'
import { type FilterState, stateOfText, stateOfTree } from '../filter/edited.ts'

export type StepId = 'destination' | 'ownership' | 'dataset' | 'fields' | 'filter' | 'format' | 'review'

export interface Step {
  readonly id: StepId
  readonly title: string
  /** The missing or invalid part; undefined when complete. */
  readonly missing: string | undefined
}

/**
 * The steps for a draft, in order.
 * @param knownConf destination of the edited job: it needs no new ownership proof
 */
export function stepsOf(draft: Draft, filter: FilterState, knownConf: string | undefined): readonly Step[] {
  const asksOwnership = needsOwnership(draft, knownConf)
  const steps: readonly (Step | undefined)[] = [
    { id: 'destination', title: 'Destination', missing: destinationFault(draft) },
    asksOwnership
      ? {
          id: 'ownership',
          title: 'Ownership',
          missing: challengeOf(draft) === '' ? 'Answer the ownership challenge.' : undefined,
        }
      : undefined,
    { id: 'dataset', title: 'Dataset', missing: undefined },
    {
      id: 'fields',
      title: 'Fields',
      missing: draft.fields.length === 0 ? 'Select at least one field.' : undefined,
    },
    {
      id: 'filter',
      title: 'Filter',
      missing: filter.fault === undefined ? undefined : `Invalid filter: ${filter.fault.message}.`,
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

/** The fault of a batch limit; undefined when valid. */
export function amountFault(text: string, min: number, max: number): string | undefined {
  if (text.trim() === '') return undefined
  const amount = Number(text)
  const fits = Number.isInteger(amount) && amount >= min && amount <= max
  return fits
    ? undefined
    : `Enter a whole number from ${min.toLocaleString('en')} to ${max.toLocaleString('en')}, or leave empty`
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
    return 'Enter a sample rate above 0 % and up to 100 %.'
  return undefined
}
