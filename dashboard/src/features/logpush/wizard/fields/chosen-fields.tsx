import { ActionIcon, Button, Group, Stack, Text, Title } from '@mantine/core'
import classes from '../wizard.module.css'

interface Props {
  readonly fields: readonly string[]
  readonly defaults: readonly string[]
  onChange(fields: readonly string[]): void
}

/** Selected fields in output order. */
export function ChosenFields({ fields, defaults, onChange }: Props) {
  const move = (index: number, by: number) => {
    const name = fields[index]!
    onChange(fields.toSpliced(index, 1).toSpliced(index + by, 0, name))
  }
  return (
    <Stack gap="xs" miw={0}>
      <Group justify="space-between">
        <Title order={3} fz="sm">
          <span role="status">
            {fields.length} {fields.length === 1 ? 'field' : 'fields'} in a line
          </span>
        </Title>
        <Group gap={4}>
          <Button size="compact-xs" variant="subtle" onClick={() => onChange(defaults)}>
            Defaults
          </Button>
          <Button size="compact-xs" variant="subtle" onClick={() => onChange([])}>
            None
          </Button>
        </Group>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions need keyboard focus */}
      <section className={classes['listed']} tabIndex={0} aria-label="Selected fields, in order">
        <ol className={classes['order']}>
          {fields.map((name, index) => (
            <li key={name}>
              <span className="mono cut" style={{ flex: 1 }}>
                {name}
              </span>
              <MoveButton
                label={`Move ${name} up`}
                text="↑"
                disabled={index === 0}
                onClick={() => move(index, -1)}
              />
              <MoveButton
                label={`Move ${name} down`}
                text="↓"
                disabled={index === fields.length - 1}
                onClick={() => move(index, 1)}
              />
              <MoveButton
                label={`Remove ${name}`}
                text="×"
                onClick={() => onChange(fields.toSpliced(index, 1))}
              />
            </li>
          ))}
        </ol>
        {fields.length === 0 ? (
          <Text size="sm" c="dimmed" p="md">
            Select at least one field.
          </Text>
        ) : null}
      </section>
    </Stack>
  )
}

interface MoveProps {
  readonly label: string
  readonly text: string
  readonly disabled?: boolean
  onClick(): void
}

function MoveButton({ label, text, disabled = false, onClick }: MoveProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      c="var(--mantine-color-dimmed)"
      aria-label={label}
      disabled={disabled}
      onClick={onClick}
    >
      {text}
    </ActionIcon>
  )
}
