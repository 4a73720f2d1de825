import { Alert, Button, Radio, Stack, Text } from '@mantine/core'
import type { ManagedAction } from '../../domain/ruleset/owasp/document.ts'
import { managedActions } from '../../domain/ruleset/owasp/words.ts'
import { AlertIcon } from '../../ui/display/icons.tsx'
import { Section } from '../../ui/page/section.tsx'

interface Props {
  readonly action: ManagedAction
  readonly acts: boolean
  readonly disabled: boolean
  onChange(action: ManagedAction): void
  onAct(): void
}

/** Action on requests that reach the threshold. */
export function ActionSection({ action, acts, disabled, onChange, onAct }: Props) {
  return (
    <Section title="Action" text="Applies to requests whose score reaches the threshold.">
      {acts ? null : (
        <Alert color="yellow" icon={<AlertIcon />} title="No action at present">
          <Stack gap="xs">
            <Text size="sm">
              The anomaly score rule is disabled: scores are logged, and no action is taken.
            </Text>
            <Button variant="default" size="compact-sm" w="fit-content" disabled={disabled} onClick={onAct}>
              Enable the action
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
