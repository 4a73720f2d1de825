import { PasswordInput } from '@mantine/core'

interface Props {
  readonly value: string
  onChange(password: string): void
}

/** Proof that the user, and not somebody at an open page, asks for a change. */
export function CurrentPassword({ value, onChange }: Props) {
  return (
    <PasswordInput
      label="Current password"
      autoComplete="current-password"
      value={value}
      onChange={event => onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': 'Show current password', tabIndex: 0 }}
    />
  )
}
