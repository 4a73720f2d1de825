import { Button, Collapse, PasswordInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import {
  type DestinationField,
  type DestinationKind,
  faultsOf,
  type Values,
} from '../../destinations/kind.ts'
import { PairsInput } from './pairs-input.tsx'

interface Props {
  readonly kind: DestinationKind
  readonly values: Values
  onChange(values: Values): void
}

/** The form of one kind of destination. */
export function DestinationForm({ kind, values, onChange }: Props) {
  const faults = faultsOf(kind, values)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const rare = kind.fields.filter(field => field.rare)
  const isSaid = rare.some(({ name, value = '' }) => values[name] !== value)
  const [opened, { toggle }] = useDisclosure(isSaid)
  const render = (field: DestinationField) => (
    <FieldInput
      key={field.name}
      field={field}
      value={values[field.name] ?? ''}
      // Empty fields are faults only after the user tries to continue.
      fault={values[field.name] === '' && !left.has(field.name) ? undefined : faults[field.name]}
      onChange={value => onChange({ ...values, [field.name]: value })}
      onLeave={() => setLeft(before => new Set(before).add(field.name))}
    />
  )
  if (kind.fields.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No settings: the delivering process prints the lines.
      </Text>
    )
  return (
    <Stack gap="sm">
      {kind.fields.filter(field => !field.rare).map(render)}
      {rare.length === 0 ? null : (
        <>
          <Button variant="subtle" size="compact-sm" w="fit-content" onClick={toggle} aria-expanded={opened}>
            {opened ? 'Fewer options' : 'More options'}
          </Button>
          <Collapse expanded={opened}>
            <Stack gap="sm">{rare.map(render)}</Stack>
          </Collapse>
        </>
      )}
    </Stack>
  )
}

interface FieldProps {
  readonly field: DestinationField
  readonly value: string
  readonly fault: string | undefined
  onChange(value: string): void
  onLeave(): void
}

function FieldInput({ field, value, fault, onChange, onLeave }: FieldProps) {
  const { label, help, placeholder, required, secret, choices, at } = field
  if (at === 'headers' || at === 'labels')
    return (
      <PairsInput
        label={label}
        help={help}
        one={at === 'headers' ? 'header' : 'label'}
        secret={secret ?? false}
        value={value}
        fault={fault}
        onChange={onChange}
      />
    )
  const shared = {
    label,
    description: help,
    placeholder,
    required: required ?? false,
    error: fault,
    onBlur: onLeave,
  }
  if (choices !== undefined)
    return (
      <Select
        {...shared}
        data={[...choices]}
        value={value}
        onChange={next => onChange(next ?? '')}
        allowDeselect={false}
      />
    )
  const typed = {
    ...shared,
    value,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange(event.currentTarget.value),
    autoComplete: 'off',
    spellCheck: false,
  }
  return secret ? (
    <PasswordInput
      {...typed}
      visibilityToggleButtonProps={{ 'aria-label': `Show ${label.toLowerCase()}`, tabIndex: 0 }}
    />
  ) : (
    <TextInput {...typed} />
  )
}
