import { ActionIcon, Button, Checkbox, Group, Stack, Switch, Text, TextInput, Title } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { DatasetField } from '../../../../../src/model/dataset.ts'
import { examplesOf } from '../../../api/log-sample.ts'
import { SearchIcon } from '../../../ui/icons.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { useUrlState } from '../../../ui/use-url-state.ts'
import { fieldGroups, isFilled } from '../field-groups.ts'
import { SampleSource } from './sample-source.tsx'
import classes from './wizard.module.css'
import type { StepProps } from './wizard.tsx'

export function FieldsStep(props: StepProps) {
  const { scope, draft, dataset, sample, change } = props
  const [search, setSearch] = useState('')
  const [shown, setShown] = useUrlState('show')
  const chosen = useMemo(() => new Set(draft.fields), [draft.fields])
  const all = shown === 'all'
  const groups = useMemo(() => {
    const wanted = search.trim().toLowerCase()
    const fits = (field: DatasetField) =>
      (all || isFilled(field) || chosen.has(field.name)) &&
      `${field.name} ${field.description}`.toLowerCase().includes(wanted)
    return fieldGroups(dataset)
      .map(({ title, fields }) => ({ title, fields: fields.filter(fits) }))
      .filter(({ fields }) => fields.length > 0)
  }, [dataset, search, all, chosen])
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
            placeholder="Search names and meanings"
            leftSection={<SearchIcon size={16} />}
            value={search}
            onChange={event => setSearch(event.currentTarget.value)}
          />
          <Switch
            size="sm"
            label="Show also fields that a self-hosted edge cannot know"
            checked={all}
            onChange={event => setShown(event.currentTarget.checked ? 'all' : '')}
          />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard */}
          <section className={classes['listed']} tabIndex={0} aria-label="All fields">
            {groups.map(({ title, fields }) => (
              <div key={title}>
                <div className={classes['groupHead']}>
                  <Title order={3} size="h4" fz="sm">
                    {title}
                  </Title>
                  <Group gap={4}>
                    <GroupButton
                      label="All"
                      title={title}
                      onClick={() =>
                        put(
                          fields.map(({ name }) => name),
                          true,
                        )
                      }
                    />
                    <GroupButton
                      label="None"
                      title={title}
                      onClick={() =>
                        put(
                          fields.map(({ name }) => name),
                          false,
                        )
                      }
                    />
                  </Group>
                </div>
                {fields.map(field => (
                  <FieldRow
                    key={field.name}
                    field={field}
                    examples={examples.get(field.name) ?? []}
                    checked={chosen.has(field.name)}
                    onChange={wanted => put([field.name], wanted)}
                  />
                ))}
              </div>
            ))}
            {groups.length === 0 ? (
              <Text size="sm" c="dimmed" p="md">
                No field has this in its name or meaning.
              </Text>
            ) : null}
          </section>
          {dataset.name === 'http_requests' && scope.kind === 'zone' ? (
            <Text size="sm" c="dimmed">
              RequestHeaders, ResponseHeaders and Cookies hold what{' '}
              <TextLink to={`/zones/${scope.id}/custom-fields`} inherit underline="always">
                Custom fields
              </TextLink>{' '}
              names.
            </Text>
          ) : null}
        </Stack>
        <Chosen
          fields={draft.fields}
          defaults={dataset.defaultFields}
          onChange={fields => change({ fields })}
        />
      </div>
    </Stack>
  )
}

interface GroupButtonProps {
  readonly label: string
  readonly title: string
  onClick(): void
}

function GroupButton({ label, title, onClick }: GroupButtonProps) {
  return (
    <Button size="compact-xs" variant="subtle" onClick={onClick} aria-label={`${label} of ${title}`}>
      {label}
    </Button>
  )
}

interface RowProps {
  readonly field: DatasetField
  readonly examples: readonly string[]
  readonly checked: boolean
  onChange(wanted: boolean): void
}

function FieldRow({ field, examples, checked, onChange }: RowProps) {
  const { name, type, description } = field
  return (
    <div className={classes['field']}>
      <Checkbox
        size="sm"
        checked={checked}
        onChange={event => onChange(event.currentTarget.checked)}
        label={
          <>
            <span className="mono">{name}</span>{' '}
            <Text span size="xs" c="dimmed">
              {type}
              {isFilled(field) ? '' : ', always empty here'}
            </Text>
          </>
        }
        description={description}
      />
      {examples.length === 0 ? null : (
        <Text size="xs" className="cut mono" pl={32} title={examples.join('\n')}>
          {examples.join(' · ')}
        </Text>
      )}
    </div>
  )
}

interface ChosenProps {
  readonly fields: readonly string[]
  readonly defaults: readonly string[]
  onChange(fields: readonly string[]): void
}

/** The chosen fields in the order of the line. */
function Chosen({ fields, defaults, onChange }: ChosenProps) {
  const move = (index: number, by: number) => {
    const name = fields[index]!
    onChange(fields.toSpliced(index, 1).toSpliced(index + by, 0, name))
  }
  return (
    <Stack gap="xs" miw={0}>
      <Group justify="space-between">
        <Title order={3} fz="sm">
          <span role="status">
            {fields.length} {fields.length === 1 ? 'field' : 'fields'} in a line
          </span>
        </Title>
        <Group gap={4}>
          <Button size="compact-xs" variant="subtle" onClick={() => onChange(defaults)}>
            The default ones
          </Button>
          <Button size="compact-xs" variant="subtle" onClick={() => onChange([])}>
            None
          </Button>
        </Group>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard */}
      <section className={classes['listed']} tabIndex={0} aria-label="Chosen fields, in order">
        <ol className={classes['order']}>
          {fields.map((name, index) => (
            <li key={name}>
              <span className="mono cut" style={{ flex: 1 }}>
                {name}
              </span>
              <MoveButton
                label={`Move ${name} up`}
                text="↑"
                disabled={index === 0}
                onClick={() => move(index, -1)}
              />
              <MoveButton
                label={`Move ${name} down`}
                text="↓"
                disabled={index === fields.length - 1}
                onClick={() => move(index, 1)}
              />
              <MoveButton
                label={`Remove ${name}`}
                text="×"
                onClick={() => onChange(fields.toSpliced(index, 1))}
              />
            </li>
          ))}
        </ol>
        {fields.length === 0 ? (
          <Text size="sm" c="dimmed" p="md">
            Choose at least one.
          </Text>
        ) : null}
      </section>
    </Stack>
  )
}

interface MoveProps {
  readonly label: string
  readonly text: string
  readonly disabled?: boolean
  onClick(): void
}

function MoveButton({ label, text, disabled = false, onClick }: MoveProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      c="var(--mantine-color-dimmed)"
      aria-label={label}
      disabled={disabled}
      onClick={onClick}
    >
      {text}
    </ActionIcon>
  )
}
