import { Select, SimpleGrid, Text, TextInput, Title } from '@mantine/core'
import type { StepProps } from '../step-props.ts'
import { amountFault, amounts } from '../steps.ts'

/** Batch limits. */
export function BatchFields({ draft, change }: Pick<StepProps, 'draft' | 'change'>) {
  return (
    <div>
      <Title order={3} mb="xs">
        Batches
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        A batch is uploaded when it reaches one of these limits. Leave empty for the default.
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label="Frequency"
          data={[
            { value: 'high', label: 'High: 30 s or 100,000 lines' },
            { value: 'low', label: 'Low: 5 min or 1,000,000 lines' },
          ]}
          value={draft.frequency}
          onChange={value => change({ frequency: value === 'low' ? 'low' : 'high' })}
          allowDeselect={false}
        />
        <Amount
          name="seconds"
          label="Seconds"
          value={draft.seconds}
          onChange={seconds => change({ seconds })}
        />
        <Amount
          name="records"
          label="Lines"
          value={draft.records}
          onChange={records => change({ records })}
        />
        <Amount
          name="bytes"
          label="Bytes (uncompressed)"
          value={draft.bytes}
          onChange={bytes => change({ bytes })}
        />
      </SimpleGrid>
    </div>
  )
}

interface AmountProps {
  readonly name: keyof typeof amounts
  readonly label: string
  readonly value: string
  onChange(value: string): void
}

function Amount({ name, label, value, onChange }: AmountProps) {
  const { min, max } = amounts[name]
  return (
    <TextInput
      label={label}
      inputMode="numeric"
      placeholder={`${min.toLocaleString('en')} to ${max.toLocaleString('en')}`}
      value={value}
      onChange={event => onChange(event.currentTarget.value.replace(/[^\d]/g, ''))}
      error={amountFault(value, min, max)}
    />
  )
}
