import { ActionIcon, Autocomplete, Select, TagsInput } from '@mantine/core'
import { useMemo } from 'react'
import type { FilterOperator } from '../../../../../src/logfilter/index.ts'
import type { Dataset } from '../../../../../src/model/dataset.ts'
import { Tooltip } from '../../../ui/controls/tooltip.tsx'
import { TrashIcon } from '../../../ui/display/icons.tsx'
import { fieldGroups } from '../field-groups.ts'
import {
  type EditedCriterion,
  type FilterFault,
  isSet,
  kindOfField,
  operatorsFor,
  withField,
  withOperator,
} from './edited.ts'
import classes from './filter.module.css'
import { operatorWords } from './words.ts'

interface Props {
  readonly criterion: EditedCriterion
  readonly name: string
  readonly dataset: Dataset
  readonly fault: FilterFault | undefined
  readonly examples: (field: string) => readonly string[]
  onChange(criterion: EditedCriterion): void
  onRemove(): void
}

/** One condition: field, operator and values. */
export function CriterionRow({ criterion, name, dataset, fault, examples, onChange, onRemove }: Props) {
  const { key, operator } = criterion
  const faultOf = (part: FilterFault['part']) => {
    if (fault?.node !== criterion.id) return undefined
    return (fault.part ?? 'key') === part ? fault.message : undefined
  }
  const fields = useMemo(() => filterableGroups(dataset), [dataset])
  const kind = kindOfField(dataset, key)
  const operators = key === '' ? [operator] : operatorsFor(dataset, key)
  return (
    <fieldset className={classes['row']} data-node={criterion.id} aria-label={name}>
      <Select
        aria-label={`${name}: field`}
        placeholder="Field"
        data={fields}
        value={key === '' ? null : key}
        onChange={next => next !== null && onChange(withField(criterion, next, dataset))}
        searchable
        allowDeselect={false}
        nothingFoundMessage="No matching fields"
        maxDropdownHeight={320}
        error={faultOf('key')}
      />
      <Select
        aria-label={`${name}: operator`}
        data={operators.map(value => ({ value, label: operatorWords(value, kind) }))}
        value={operator}
        onChange={next => next !== null && onChange(withOperator(criterion, next as FilterOperator))}
        allowDeselect={false}
        disabled={key === ''}
        error={faultOf('operator')}
      />
      <ValueInput
        criterion={criterion}
        name={name}
        kind={kind}
        known={kind === 'bool' ? ['true', 'false'] : examples(key)}
        error={faultOf('value')}
        onChange={values => onChange({ ...criterion, values })}
      />
      <Tooltip label="Remove condition">
        <ActionIcon
          variant="subtle"
          color="gray"
          c="dimmed"
          size="lg"
          aria-label={`Remove ${name.toLowerCase()}`}
          onClick={onRemove}
        >
          <TrashIcon size={16} />
        </ActionIcon>
      </Tooltip>
    </fieldset>
  )
}

interface ValueProps {
  readonly criterion: EditedCriterion
  readonly name: string
  readonly kind: ReturnType<typeof kindOfField>
  /** Suggested values. */
  readonly known: readonly string[]
  readonly error: string | undefined
  onChange(values: readonly string[]): void
}

function ValueInput({ criterion, name, kind, known, error, onChange }: ValueProps) {
  if (isSet(criterion.operator))
    return (
      <TagsInput
        aria-label={`${name}: values`}
        placeholder={criterion.values.length === 0 ? 'Press Enter after each value' : ''}
        data={[...known]}
        value={[...criterion.values]}
        onChange={onChange}
        acceptValueOnBlur
        error={error}
      />
    )
  return (
    <Autocomplete
      aria-label={`${name}: value`}
      placeholder={kind === 'nanoseconds' ? '2026-05-01T00:00:00Z' : 'Value'}
      data={[...known]}
      value={criterion.values[0] ?? ''}
      onChange={value => onChange([value])}
      disabled={criterion.key === ''}
      error={error}
    />
  )
}

function filterableGroups(dataset: Dataset) {
  return fieldGroups(dataset)
    .map(({ title, fields }) => ({
      group: title,
      items: fields.filter(({ name }) => kindOfField(dataset, name) !== 'none').map(({ name }) => name),
    }))
    .filter(({ items }) => items.length > 0)
}
