import { Alert, Button, Radio, Stack, Text } from '@mantine/core'
import type { ManagedAction } from '../../managed/document.ts'
import { managedActions } from '../../managed/words.ts'
import { AlertIcon } from '../../ui/icons.tsx'
import { Section } from '../../ui/section.tsx'

interface Props {
  readonly action: ManagedAction
  readonly acts: boolean
  readonly disabled: boolean
  onChange(action: ManagedAction): void
  onAct(): void
}

/** What happens to a request that reaches the threshold. */
export function ActionSection({ action, acts, disabled, onChange, onAct }: Props) {
  return (
    <Section title="Action" text="What happens to a request whose score reaches the threshold.">
      {acts ? null : (
        <Alert color="yellow" icon={<AlertIcon />} title="Nothing is done at the moment">
          <Stack gap="xs">
            <Text size="sm">
              The last rule of the ruleset is switched off: scores are counted, and no action is taken.
            </Text>
            <Button variant="default" size="compact-sm" w="fit-content" disabled={disabled} onClick={onAct}>
              Take the action again
            </Button>
          </Stack>
        </Alert>
      )}
      <Radio.Group aria-label="Action" value={action} onChange={value => onChange(value as ManagedAction)}>
        <Stack gap="xs">
          {managedActions.map(({ value, label, text }) => (
            <Radio key={value} value={value} label={label} description={text} disabled={disabled} />
          ))}
        </Stack>
      </Radio.Group>
    </Section>
  )
}
