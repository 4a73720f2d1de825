import { ActionIcon, Autocomplete, Select, TagsInput } from '@mantine/core'
import { useMemo } from 'react'
import type { FilterOperator } from '../../../../../src/logfilter/index.ts'
import type { Dataset } from '../../../../../src/model/dataset.ts'
import { TrashIcon } from '../../../ui/icons.tsx'
import { Tooltip } from '../../../ui/tooltip.tsx'
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

/** One field, one operator of those that its type allows, and what it is compared with. */
export function CriterionRow({ criterion, name, dataset, fault, examples, onChange, onRemove }: Props) {
  const { key, operator } = criterion
  const faultOf = (part: FilterFault['part']) => {
    if (fault?.node !== criterion.id) return undefined
    return (fault.part ?? 'key') === part ? fault.message : undefined
  }
  const fields = useMemo(() => filterableGroups(dataset), [dataset])
  const kind = kindOfField(dataset, key)
  const operators = key === '' ? [operator] : operatorsFor(dataset, key)
  const known = kind === 'bool' ? ['true', 'false'] : examples(key)
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
        nothingFoundMessage="No field has this in its name"
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
      {isSet(operator) ? (
        <TagsInput
          aria-label={`${name}: values`}
          placeholder={criterion.values.length === 0 ? 'Values; Enter after each' : ''}
          data={[...known]}
          value={[...criterion.values]}
          onChange={values => onChange({ ...criterion, values })}
          acceptValueOnBlur
          error={faultOf('value')}
        />
      ) : (
        <Autocomplete
          aria-label={`${name}: value`}
          placeholder={kind === 'nanoseconds' ? '2026-05-01T00:00:00Z' : 'Value'}
          data={[...known]}
          value={criterion.values[0] ?? ''}
          onChange={value => onChange({ ...criterion, values: [value] })}
          disabled={key === ''}
          error={faultOf('value')}
        />
      )}
      <Tooltip label="Remove the condition">
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

function filterableGroups(dataset: Dataset) {
  return fieldGroups(dataset)
    .map(({ title, fields }) => ({
      group: title,
      items: fields.filter(({ name }) => kindOfField(dataset, name) !== 'none').map(({ name }) => name),
    }))
    .filter(({ items }) => items.length > 0)
}
