import { ActionIcon, Button, Group, Paper, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { SkipTarget } from '../../../domain/ruleset/rules/document.ts'
import { PlusIcon, TrashIcon } from '../../../ui/display/icons.tsx'
import type { ManagedRules } from './managed-rules.ts'

interface Props {
  readonly managed: ManagedRules | undefined
  readonly targets: readonly SkipTarget[]
  readonly onChange: (targets: readonly SkipTarget[]) => void
}

const keyed = [
  { value: 'ARGS', label: 'Arguments (query and body)' },
  { value: 'ARGS_NAMES', label: 'Argument names' },
  { value: 'ARGS_GET', label: 'Query arguments' },
  { value: 'ARGS_GET_NAMES', label: 'Query argument names' },
  { value: 'ARGS_POST', label: 'Body arguments' },
  { value: 'ARGS_POST_NAMES', label: 'Body argument names' },
  { value: 'REQUEST_COOKIES', label: 'Cookies' },
  { value: 'REQUEST_COOKIES_NAMES', label: 'Cookie names' },
  { value: 'REQUEST_HEADERS', label: 'Request headers' },
  { value: 'REQUEST_HEADERS_NAMES', label: 'Request header names' },
  { value: 'FILES', label: 'Uploaded file names' },
  { value: 'FILES_NAMES', label: 'File upload fields' },
  { value: 'MULTIPART_PART_HEADERS', label: 'Multipart part headers' },
]

const single = [
  { value: 'REQUEST_BODY', label: 'Body' },
  { value: 'QUERY_STRING', label: 'Query string' },
  { value: 'REQUEST_URI', label: 'URI' },
  { value: 'REQUEST_URI_RAW', label: 'URI as received' },
  { value: 'REQUEST_FILENAME', label: 'Path' },
  { value: 'REQUEST_BASENAME', label: 'Last path segment' },
  { value: 'REQUEST_LINE', label: 'Request line' },
  { value: 'REQUEST_METHOD', label: 'Method' },
  { value: 'REQUEST_PROTOCOL', label: 'Protocol' },
]

const hasKeys: ReadonlySet<string> = new Set(keyed.map(({ value }) => value))
const hasJson: ReadonlySet<string> = new Set(['ARGS', 'ARGS_NAMES', 'ARGS_POST', 'ARGS_POST_NAMES'])

const collections = [
  { group: 'Named values', items: keyed },
  { group: 'Single values', items: single },
]

type KeyKind = 'all' | 'key' | 'key_pattern' | 'json_path'

/** Values that managed rules ignore. */
export function TargetFields({ managed, targets, onChange }: Props) {
  return (
    <Stack gap="sm" role="group" aria-label="Excluded values">
      {targets.map((target, index) => (
        <Target
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no identity but their index, and hold no state
          key={index}
          name={`value ${index + 1}`}
          managed={managed}
          target={target}
          onChange={next => onChange(targets.with(index, next))}
          onRemove={targets.length === 1 ? undefined : () => onChange(targets.toSpliced(index, 1))}
        />
      ))}
      <Button
        variant="default"
        size="compact-sm"
        w="fit-content"
        leftSection={<PlusIcon size={14} />}
        onClick={() => onChange([...targets, targets.at(-1) ?? { collection: 'ARGS' }])}
      >
        Add value
      </Button>
    </Stack>
  )
}

interface TargetProps {
  readonly name: string
  readonly managed: ManagedRules | undefined
  readonly target: SkipTarget
  readonly onChange: (target: SkipTarget) => void
  readonly onRemove: (() => void) | undefined
}

function Target({ name, managed, target, onChange, onRemove }: TargetProps) {
  const byTag = target.tag !== undefined
  const hasKey = hasKeys.has(target.collection)
  return (
    <Paper withBorder p="sm" style={{ borderColor: 'var(--sluice-line)' }}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Text size="sm" fw={550} tt="capitalize">
            {name}
          </Text>
          {onRemove === undefined ? null : <RemoveButton name={name} onRemove={onRemove} />}
        </Group>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <Select
            label="Ignored by"
            data={[
              { value: 'rule', label: 'One rule' },
              { value: 'tag', label: 'All rules with a tag' },
            ]}
            value={byTag ? 'tag' : 'rule'}
            allowDeselect={false}
            onChange={by => {
              const { rule: _rule, tag: _tag, ...rest } = target
              onChange(by === 'tag' ? { ...rest, tag: '' } : rest)
            }}
          />
          {byTag ? (
            <TagSelect {...{ managed, target, onChange }} />
          ) : (
            <RuleSelect {...{ managed, target, onChange }} />
          )}
          <CollectionSelect target={target} onChange={onChange} />
          {hasKey ? <KeyKindSelect target={target} onChange={onChange} /> : null}
        </SimpleGrid>
        {hasKey ? <KeyInput target={target} onChange={onChange} /> : null}
      </Stack>
    </Paper>
  )
}

function RemoveButton({ name, onRemove }: { readonly name: string; readonly onRemove: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" c="dimmed" aria-label={`Remove ${name}`} onClick={onRemove}>
      <TrashIcon size={16} />
    </ActionIcon>
  )
}

type SelectProps = Pick<TargetProps, 'managed' | 'target' | 'onChange'>

function TagSelect({ managed, target, onChange }: SelectProps) {
  return (
    <Select
      label="Tag"
      searchable
      data={[...(managed?.tags ?? [])]}
      value={target.tag === '' ? null : (target.tag ?? null)}
      onChange={tag => onChange({ ...target, tag: tag ?? '' })}
      placeholder="attack-sqli"
      maxDropdownHeight={300}
    />
  )
}

function RuleSelect({ managed, target, onChange }: SelectProps) {
  const rules = managed?.rules ?? []
  const unknown = target.rule !== undefined && !rules.some(({ value }) => value === target.rule)
  return (
    <Select
      label="Rule"
      searchable
      limit={60}
      data={unknown ? [...rules, { value: target.rule!, label: target.rule! }] : [...rules]}
      value={target.rule ?? null}
      onChange={rule => {
        const { rule: _rule, ...rest } = target
        onChange(rule === null ? rest : { ...rest, rule })
      }}
      placeholder="942100"
      maxDropdownHeight={300}
    />
  )
}

type KeyProps = Pick<TargetProps, 'target' | 'onChange'>

function CollectionSelect({ target, onChange }: KeyProps) {
  return (
    <Select
      label="Target"
      searchable
      data={withOwn(target.collection)}
      value={target.collection}
      allowDeselect={false}
      onChange={collection => {
        if (collection !== null)
          onChange(hasKeys.has(collection) ? { ...target, collection } : { ...wholeOf(target), collection })
      }}
    />
  )
}

function KeyKindSelect({ target, onChange }: KeyProps) {
  const whole = wholeOf(target)
  return (
    <Select
      label="Selection"
      data={[
        { value: 'key', label: 'By name' },
        { value: 'key_pattern', label: 'By name (regex)' },
        ...(hasJson.has(target.collection) ? [{ value: 'json_path', label: 'By JSON path' }] : []),
        { value: 'all', label: 'All' },
      ]}
      value={kindOf(target)}
      allowDeselect={false}
      onChange={next => {
        onChange(next === 'all' || next === null ? whole : { ...whole, [next]: keyOf(target) })
      }}
    />
  )
}

function KeyInput({ target, onChange }: KeyProps) {
  const kind = kindOf(target)
  if (kind === 'all') return null
  return (
    <TextInput
      label={keyLabels[kind]}
      placeholder={keySamples[kind]}
      spellCheck={false}
      value={keyOf(target)}
      onChange={event => onChange({ ...wholeOf(target), [kind]: event.currentTarget.value })}
    />
  )
}

const keyLabels = { key: 'Name', key_pattern: 'Regular expression', json_path: 'JSON path' } as const
const keySamples = { key: 'comment', key_pattern: '^field_[0-9]+$', json_path: '$.user.name' } as const

function kindOf({ key, key_pattern, json_path }: SkipTarget): KeyKind {
  if (key !== undefined) return 'key'
  if (key_pattern !== undefined) return 'key_pattern'
  return json_path === undefined ? 'all' : 'json_path'
}

/** The target without its key: the whole collection. */
function wholeOf({ key: _key, key_pattern: _pattern, json_path: _path, ...whole }: SkipTarget): SkipTarget {
  return whole
}

function keyOf({ key, key_pattern, json_path }: SkipTarget): string {
  return key ?? key_pattern ?? json_path ?? ''
}

/** Includes the collection of a rule that was created elsewhere. */
function withOwn(collection: string) {
  const known = [...keyed, ...single].some(({ value }) => value === collection)
  return known
    ? collections
    : [...collections, { group: 'Other', items: [{ value: collection, label: collection }] }]
}
