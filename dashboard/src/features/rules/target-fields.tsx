import { ActionIcon, Button, Group, Paper, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { PlusIcon, TrashIcon } from '../../ui/icons.tsx'
import type { SkipTarget } from './document.ts'
import type { ManagedRules } from './managed-rules.ts'

interface Props {
  readonly managed: ManagedRules | undefined
  readonly targets: readonly SkipTarget[]
  readonly onChange: (targets: readonly SkipTarget[]) => void
}

const keyed = [
  { value: 'ARGS', label: 'Arguments (query and body)' },
  { value: 'ARGS_NAMES', label: 'Names of arguments' },
  { value: 'ARGS_GET', label: 'Arguments of the query' },
  { value: 'ARGS_GET_NAMES', label: 'Names of arguments of the query' },
  { value: 'ARGS_POST', label: 'Arguments of the body' },
  { value: 'ARGS_POST_NAMES', label: 'Names of arguments of the body' },
  { value: 'REQUEST_COOKIES', label: 'Cookies' },
  { value: 'REQUEST_COOKIES_NAMES', label: 'Names of cookies' },
  { value: 'REQUEST_HEADERS', label: 'Request headers' },
  { value: 'REQUEST_HEADERS_NAMES', label: 'Names of request headers' },
  { value: 'FILES', label: 'Names of uploaded files' },
  { value: 'FILES_NAMES', label: 'Form fields of uploaded files' },
  { value: 'MULTIPART_PART_HEADERS', label: 'Headers of multipart parts' },
]

const single = [
  { value: 'REQUEST_BODY', label: 'The whole body' },
  { value: 'QUERY_STRING', label: 'The whole query' },
  { value: 'REQUEST_URI', label: 'URI' },
  { value: 'REQUEST_URI_RAW', label: 'URI as received' },
  { value: 'REQUEST_FILENAME', label: 'Path' },
  { value: 'REQUEST_BASENAME', label: 'Last part of the path' },
  { value: 'REQUEST_LINE', label: 'Request line' },
  { value: 'REQUEST_METHOD', label: 'Method' },
  { value: 'REQUEST_PROTOCOL', label: 'Protocol' },
]

const hasKeys: ReadonlySet<string> = new Set(keyed.map(({ value }) => value))
const hasJson: ReadonlySet<string> = new Set(['ARGS', 'ARGS_NAMES', 'ARGS_POST', 'ARGS_POST_NAMES'])

const collections = [
  { group: 'With names', items: keyed },
  { group: 'As a whole', items: single },
]

type KeyKind = 'all' | 'key' | 'key_pattern' | 'json_path'

/** Single values that managed rules do not look at. */
export function TargetFields({ managed, targets, onChange }: Props) {
  return (
    <Stack gap="sm" role="group" aria-label="Values that are not looked at">
      {targets.map((target, index) => (
        <Target
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no identity but their place, and hold no state
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
  const { key: _key, key_pattern: _pattern, json_path: _path, ...whole } = target
  const kind = kindOf(target)
  const text = kind === 'all' ? '' : (target[kind] ?? '')
  const byTag = target.tag !== undefined
  const rules = managed?.rules ?? []
  const unknown = target.rule !== undefined && !rules.some(({ value }) => value === target.rule)
  return (
    <Paper withBorder p="sm" style={{ borderColor: 'var(--sluice-line)' }}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Text size="sm" fw={550} tt="capitalize">
            {name}
          </Text>
          {onRemove === undefined ? null : (
            <ActionIcon
              variant="subtle"
              color="gray"
              c="dimmed"
              aria-label={`Remove ${name}`}
              onClick={onRemove}
            >
              <TrashIcon size={16} />
            </ActionIcon>
          )}
        </Group>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <Select
            label="Not looked at by"
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
            <Select
              label="Tag"
              searchable
              data={[...(managed?.tags ?? [])]}
              value={target.tag === '' ? null : (target.tag ?? null)}
              onChange={tag => onChange({ ...target, tag: tag ?? '' })}
              placeholder="attack-sqli"
              maxDropdownHeight={300}
            />
          ) : (
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
          )}
          <Select
            label="What"
            searchable
            data={withOwn(target.collection)}
            value={target.collection}
            allowDeselect={false}
            onChange={collection => {
              if (collection !== null)
                onChange(hasKeys.has(collection) ? { ...target, collection } : { ...whole, collection })
            }}
          />
          {hasKeys.has(target.collection) ? (
            <Select
              label="Which"
              data={[
                { value: 'key', label: 'The one named' },
                { value: 'key_pattern', label: 'Those whose name matches a regex' },
                ...(hasJson.has(target.collection)
                  ? [{ value: 'json_path', label: 'The one at a JSON path' }]
                  : []),
                { value: 'all', label: 'All of them' },
              ]}
              value={kind}
              allowDeselect={false}
              onChange={next => {
                onChange(next === 'all' || next === null ? whole : { ...whole, [next]: text })
              }}
            />
          ) : null}
        </SimpleGrid>
        {kind === 'all' || !hasKeys.has(target.collection) ? null : (
          <TextInput
            label={keyLabels[kind]}
            placeholder={keySamples[kind]}
            spellCheck={false}
            value={text}
            onChange={event => onChange({ ...whole, [kind]: event.currentTarget.value })}
          />
        )}
      </Stack>
    </Paper>
  )
}

const keyLabels = { key: 'Name', key_pattern: 'Regular expression', json_path: 'JSON path' } as const
const keySamples = { key: 'comment', key_pattern: '^field_[0-9]+$', json_path: '$.user.name' } as const

function kindOf({ key, key_pattern, json_path }: SkipTarget): KeyKind {
  if (key !== undefined) return 'key'
  if (key_pattern !== undefined) return 'key_pattern'
  return json_path === undefined ? 'all' : 'json_path'
}

/** Also a collection that is not offered, of a rule that was made elsewhere. */
function withOwn(collection: string) {
  const known = [...keyed, ...single].some(({ value }) => value === collection)
  return known
    ? collections
    : [...collections, { group: 'Other', items: [{ value: collection, label: collection }] }]
}
