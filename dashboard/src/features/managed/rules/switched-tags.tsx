import { Button, Group, Text } from '@mantine/core'
import type { Managed } from '../../../domain/ruleset/owasp/draft/use-managed.ts'
import { switchTag } from '../../../domain/ruleset/owasp/switching.ts'

/** Tags with an override, each with a button to revert it. */
export function SwitchedTags({
  managed,
  disabled,
}: {
  readonly managed: Managed
  readonly disabled: boolean
}) {
  const { context, changes, ruleset, settings, replace } = managed
  if (settings.tags.size === 0) return null
  return (
    <Group gap="xs" component="section" aria-label="Tag overrides">
      {[...settings.tags].map(([tag, on]) => (
        <Group key={tag} gap={6}>
          <Text size="sm">
            Tag <span className="mono">{tag}</span> {on ? 'enabled' : 'disabled'}, including future rules
          </Text>
          <Button
            size="compact-xs"
            variant="default"
            disabled={disabled}
            aria-label={`${on ? 'Disable' : 'Enable'} tag ${tag}`}
            onClick={() => replace(switchTag(context.rule, changes, ruleset, tag, !on))}
          >
            {on ? 'Disable' : 'Enable'}
          </Button>
        </Group>
      ))}
    </Group>
  )
}
