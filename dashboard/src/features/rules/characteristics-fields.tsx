import { ActionIcon, Button, Group, Input, Select, Stack, TextInput } from '@mantine/core'
import { useLanguage } from '../../expression/index.ts'
import { PlusIcon, TrashIcon } from '../../ui/icons.tsx'
import { type Characteristic, knownCharacteristics, writeCharacteristic } from './characteristics.ts'

interface Props {
  readonly value: readonly Characteristic[]
  readonly onChange: (value: readonly Characteristic[]) => void
  /** Messages of the API by place in the list. */
  readonly errors: (index: number) => string | undefined
}

const most = 20
const data = [
  ...knownCharacteristics.map(({ kind, label }) => ({ value: kind, label })),
  { value: 'own', label: 'Expression' },
]

/** What requests are counted apart by: each combination of values has a count of its own. */
export function CharacteristicsFields({ value, onChange, errors }: Props) {
  const language = useLanguage({ phase: 'http_ratelimit', use: 'characteristic' })
  return (
    <Input.Wrapper
      label="With the same characteristics"
      description="Requests that agree in all of these are counted together."
      labelElement="div"
    >
      <Stack gap="xs" mt="xs" role="group" aria-label="Characteristics">
        {value.map((one, index) => {
          const known = knownCharacteristics.find(({ kind }) => kind === one.kind)
          const text = writeCharacteristic(one)
          const hasText = one.kind === '' || known?.named !== undefined
          const fault = one.text.trim() === '' ? undefined : language.check(text)?.message
          const set = (next: Characteristic) => onChange(value.with(index, next))
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: they have no identity but their place, and hold no state
            <Group key={index} gap="xs" wrap="nowrap" align="flex-start">
              <Select
                aria-label={`Characteristic ${index + 1}`}
                data={data}
                value={one.kind === '' ? 'own' : one.kind}
                allowDeselect={false}
                flex="1 1 8rem"
                error={hasText ? undefined : errors(index)}
                onChange={kind => {
                  if (kind !== null) set({ kind: kind === 'own' ? '' : kind, text: '' })
                }}
              />
              {hasText ? (
                <TextInput
                  aria-label={one.kind === '' ? `Expression ${index + 1}` : `Name ${index + 1}`}
                  placeholder={known?.named ?? 'lower(http.host)'}
                  spellCheck={false}
                  flex="2 1 8rem"
                  value={one.text}
                  error={errors(index) ?? fault}
                  onChange={event => set({ ...one, text: event.currentTarget.value })}
                />
              ) : null}
              <ActionIcon
                variant="subtle"
                color="gray"
                c="dimmed"
                size={36}
                aria-label={`Remove characteristic ${index + 1}`}
                disabled={value.length === 1}
                onClick={() => onChange(value.toSpliced(index, 1))}
              >
                <TrashIcon size={16} />
              </ActionIcon>
            </Group>
          )
        })}
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

function unused(value: readonly Characteristic[]): string {
  return knownCharacteristics.find(({ kind }) => !value.some(one => one.kind === kind))?.kind ?? ''
}
