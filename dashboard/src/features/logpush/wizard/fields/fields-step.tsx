import { Stack, Switch, Text, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Dataset, DatasetField } from '../../../../../../src/model/dataset.ts'
import { examplesOf } from '../../../../domain/logs/log-sample.ts'
import { useUrlState } from '../../../../ui/address/use-url-state.ts'
import { SearchIcon } from '../../../../ui/display/icons.tsx'
import { TextLink } from '../../../../ui/page/links.tsx'
import { fieldGroups, isFilled } from '../../field-groups.ts'
import { SampleSource } from '../sample-source.tsx'
import type { StepProps } from '../step-props.ts'
import classes from '../wizard.module.css'
import { ChosenFields } from './chosen-fields.tsx'
import { FieldList } from './field-list.tsx'

export function FieldsStep(props: StepProps) {
  const { scope, draft, dataset, sample, change } = props
  const [search, setSearch] = useState('')
  const [shown, setShown] = useUrlState('show')
  const chosen = useMemo(() => new Set(draft.fields), [draft.fields])
  const all = shown === 'all'
  const groups = useGroups(dataset, search, all, chosen)
  const examples = useMemo(
    () => new Map(dataset.fields.map(({ name }) => [name, examplesOf(sample.records, name)])),
    [dataset, sample.records],
  )
  const put = (names: readonly string[], wanted: boolean) => {
    const changing = new Set(names)
    const rest = draft.fields.filter(name => !changing.has(name))
    const added = wanted ? names.filter(name => !chosen.has(name)) : []
    change({ fields: wanted ? [...draft.fields, ...added] : rest })
  }
  return (
    <Stack>
      <SampleSource {...props} />
      <div className={classes['columns']}>
        <Stack gap="sm" miw={0}>
          <TextInput
            aria-label="Search fields"
            placeholder="Search names and descriptions"
            leftSection={<SearchIcon size={16} />}
            value={search}
            onChange={event => setSearch(event.currentTarget.value)}
          />
          <Switch
            size="sm"
            label="Show fields that are always empty at a self-hosted edge"
            checked={all}
            onChange={event => setShown(event.currentTarget.checked ? 'all' : '')}
          />
          <FieldList groups={groups} examples={examples} chosen={chosen} onPut={put} />
          {dataset.name === 'http_requests' && scope.kind === 'zone' ? (
            <CustomFieldsNote zoneId={scope.id} />
          ) : null}
        </Stack>
        <ChosenFields
          fields={draft.fields}
          defaults={dataset.defaultFields}
          onChange={fields => change({ fields })}
        />
      </div>
    </Stack>
  )
}

/** Matching fields in groups; fields that are always empty only on request. */
function useGroups(dataset: Dataset, search: string, all: boolean, chosen: ReadonlySet<string>) {
  return useMemo(() => {
    const wanted = search.trim().toLowerCase()
    const fits = (field: DatasetField) =>
      (all || isFilled(field) || chosen.has(field.name)) &&
      `${field.name} ${field.description}`.toLowerCase().includes(wanted)
    return fieldGroups(dataset)
      .map(({ title, fields }) => ({ title, fields: fields.filter(fits) }))
      .filter(({ fields }) => fields.length > 0)
  }, [dataset, search, all, chosen])
}

function CustomFieldsNote({ zoneId }: { readonly zoneId: string }) {
  return (
    <Text size="sm" c="dimmed">
      The contents of RequestHeaders, ResponseHeaders and Cookies are set in{' '}
      <TextLink to={`/zones/${zoneId}/custom-fields`} inherit underline="always">
        Custom fields
      </TextLink>{' '}
      names.
    </Text>
  )
}
