import { PasswordInput } from '@mantine/core'

interface Props {
  readonly value: string
  onChange(password: string): void
}

/** The present password shows that the user asks for a change, not a passer-by at an open page. */
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
