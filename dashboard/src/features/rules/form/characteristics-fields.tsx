import { ActionIcon, Button, Group, Input, Select, Stack, TextInput } from '@mantine/core'
import { type Language, useLanguage } from '../../../domain/expression/index.ts'
import {
  type Characteristic,
  knownCharacteristics,
  writeCharacteristic,
} from '../../../domain/ruleset/rules/characteristics.ts'
import { PlusIcon, TrashIcon } from '../../../ui/display/icons.tsx'

interface Props {
  readonly value: readonly Characteristic[]
  readonly onChange: (value: readonly Characteristic[]) => void
  /** API errors by index. */
  readonly errors: (index: number) => string | undefined
}

const most = 20
const data = [
  ...knownCharacteristics.map(({ kind, label }) => ({ value: kind, label })),
  { value: 'own', label: 'Expression' },
]

/** Counting characteristics: each combination of values has its own counter. */
export function CharacteristicsFields({ value, onChange, errors }: Props) {
  const language = useLanguage({ phase: 'http_ratelimit', use: 'characteristic' })
  return (
    <Input.Wrapper
      label="With the same characteristics"
      description="Requests with equal values share a counter."
      labelElement="div"
    >
      <Stack gap="xs" mt="xs" role="group" aria-label="Characteristics">
        {value.map((one, index) => (
          <CharacteristicField
            // biome-ignore lint/suspicious/noArrayIndexKey: they have no identity but their index, and hold no state
            key={index}
            value={one}
            number={index + 1}
            language={language}
            error={errors(index)}
            onChange={next => onChange(value.with(index, next))}
            onRemove={value.length === 1 ? undefined : () => onChange(value.toSpliced(index, 1))}
          />
        ))}
        <Button
          variant="default"
          size="compact-sm"
          w="fit-content"
          leftSection={<PlusIcon size={14} />}
          disabled={value.length >= most}
          onClick={() => onChange([...value, { kind: unused(value), text: '' }])}
        >
          Add characteristic
        </Button>
      </Stack>
    </Input.Wrapper>
  )
}

interface FieldProps {
  readonly value: Characteristic
  readonly number: number
  readonly language: Language
  readonly error: string | undefined
  readonly onChange: (value: Characteristic) => void
  /** Undefined for the only one. */
  readonly onRemove: (() => void) | undefined
}

function CharacteristicField({ value, number, language, error, onChange, onRemove }: FieldProps) {
  const known = knownCharacteristics.find(({ kind }) => kind === value.kind)
  const hasText = value.kind === '' || known?.named !== undefined
  const fault = value.text.trim() === '' ? undefined : language.check(writeCharacteristic(value))?.message
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Select
        aria-label={`Characteristic ${number}`}
        data={data}
        value={value.kind === '' ? 'own' : value.kind}
        allowDeselect={false}
        flex="1 1 8rem"
        error={hasText ? undefined : error}
        onChange={kind => {
          if (kind !== null) onChange({ kind: kind === 'own' ? '' : kind, text: '' })
        }}
      />
      {hasText ? (
        <TextInput
          aria-label={value.kind === '' ? `Expression ${number}` : `Name ${number}`}
          placeholder={known?.named ?? 'lower(http.host)'}
          spellCheck={false}
          flex="2 1 8rem"
          value={value.text}
          error={error ?? fault}
          onChange={event => onChange({ ...value, text: event.currentTarget.value })}
        />
      ) : null}
      <ActionIcon
        variant="subtle"
        color="gray"
        c="dimmed"
        size={36}
        aria-label={`Remove characteristic ${number}`}
        disabled={onRemove === undefined}
        onClick={onRemove}
      >
        <TrashIcon size={16} />
      </ActionIcon>
    </Group>
  )
}

function unused(value: readonly Characteristic[]): string {
  return knownCharacteristics.find(({ kind }) => !value.some(one => one.kind === kind))?.kind ?? ''
}
