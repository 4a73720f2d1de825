import { ActionIcon, Button, Group, Input, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { PlusIcon, TrashIcon } from '../../../ui/icons.tsx'
import { linesOf } from '../destinations/kind.ts'

interface Props {
  readonly label: string
  readonly help?: string | undefined
  /** What one of them is called: header, label. */
  readonly one: string
  readonly secret: boolean
  /** `Name: value`, a line each. */
  readonly value: string
  readonly fault: string | undefined
  onChange(value: string): void
}

/** Names with values. */
export function PairsInput({ label, help, one, secret, value, fault, onChange }: Props) {
  // Rows that are still empty are nothing of the value.
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
  const Value = secret ? PasswordInput : TextInput
  return (
    <Input.Wrapper label={label} description={help} error={fault} labelElement="div">
      <Stack gap="xs" mt={4}>
        {rows.map(([name, text], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing else to be told by
          <Group key={index} gap="xs" wrap="nowrap" align="flex-start">
            <TextInput
              aria-label={`Name of ${one} ${index + 1}`}
              placeholder="Name"
              value={name}
              onChange={event =>
                write(rows.with(index, [event.currentTarget.value.replace(/[:\n]/g, ''), text]))
              }
              flex={1}
              spellCheck={false}
            />
            <Value
              aria-label={`Value of ${one} ${index + 1}`}
              placeholder="Value"
              value={text}
              onChange={event => write(rows.with(index, [name, event.currentTarget.value]))}
              flex={1}
              autoComplete="off"
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              c="dimmed"
              size="lg"
              aria-label={`Remove ${one} ${index + 1}`}
              onClick={() => write(rows.toSpliced(index, 1))}
            >
              <TrashIcon size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          size="xs"
          variant="default"
          w="fit-content"
          leftSection={<PlusIcon size={14} />}
          onClick={() => setRows([...rows, ['', '']])}
        >
          Add a {one}
        </Button>
      </Stack>
    </Input.Wrapper>
  )
}
