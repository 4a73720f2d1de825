import { ActionIcon, Button, Group, Input, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { PlusIcon, TrashIcon } from '../../../../ui/display/icons.tsx'
import { linesOf } from '../../destinations/kind.ts'

interface Props {
  readonly label: string
  readonly help?: string | undefined
  /** Singular noun: header, label. */
  readonly one: string
  readonly secret: boolean
  /** One `Name: value` per line. */
  readonly value: string
  readonly fault: string | undefined
  onChange(value: string): void
}

/** Rows of names and values. */
export function PairsInput({ label, help, one, secret, value, fault, onChange }: Props) {
  // Incomplete rows are not part of the value.
  const [rows, setRows] = useState(() => linesOf(value))
  const write = (next: typeof rows) => {
    setRows(next)
    onChange(
      next
        .filter(([name, text]) => name !== '' || text !== '')
        .map(([name, text]) => `${name}: ${text}`)
        .join('\n'),
    )
  }
  return (
    <Input.Wrapper label={label} description={help} error={fault} labelElement="div">
      <Stack gap="xs" mt={4}>
        {rows.map((pair, index) => (
          <PairRow
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
            key={index}
            pair={pair}
            what={`${one} ${index + 1}`}
            secret={secret}
            onChange={next => write(rows.with(index, next))}
            onRemove={() => write(rows.toSpliced(index, 1))}
          />
        ))}
        <Button
          size="xs"
          variant="default"
          w="fit-content"
          leftSection={<PlusIcon size={14} />}
          onClick={() => setRows([...rows, ['', '']])}
        >
          Add {one}
        </Button>
      </Stack>
    </Input.Wrapper>
  )
}

type Pair = ReturnType<typeof linesOf>[number]

interface RowProps {
  readonly pair: Pair
  /** Such as “header 2”. */
  readonly what: string
  readonly secret: boolean
  onChange(pair: Pair): void
  onRemove(): void
}

function PairRow({ pair: [name, text], what, secret, onChange, onRemove }: RowProps) {
  const Value = secret ? PasswordInput : TextInput
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <TextInput
        aria-label={`Name of ${what}`}
        placeholder="Name"
        value={name}
        onChange={event => onChange([event.currentTarget.value.replace(/[:\n]/g, ''), text])}
        flex={1}
        spellCheck={false}
      />
      <Value
        aria-label={`Value of ${what}`}
        placeholder="Value"
        value={text}
        onChange={event => onChange([name, event.currentTarget.value])}
        flex={1}
        autoComplete="off"
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        c="dimmed"
        size="lg"
        aria-label={`Remove ${what}`}
        onClick={onRemove}
      >
        <TrashIcon size={16} />
      </ActionIcon>
    </Group>
  )
}
