import { Button, Group, Text } from '@mantine/core'
import { switchTag } from '../../managed/switching.ts'
import type { Managed } from './use-managed.ts'

/** Tags that are switched on or off as such, with the way back. */
export function SwitchedTags({
  managed,
  disabled,
}: {
  readonly managed: Managed
  readonly disabled: boolean
}) {
  const { place, changes, ruleset, settings, replace } = managed
  if (settings.tags.size === 0) return null
  return (
    <Group gap="xs" component="section" aria-label="Switched tags">
      {[...settings.tags].map(([tag, on]) => (
        <Group key={tag} gap={6}>
          <Text size="sm">
            Tag <span className="mono">{tag}</span> is {on ? 'on' : 'off'}, also for later releases
          </Text>
          <Button
            size="compact-xs"
            variant="default"
            disabled={disabled}
            aria-label={`Switch ${on ? 'off' : 'on'} the tag ${tag}`}
            onClick={() => replace(switchTag(place.rule, changes, ruleset, tag, !on))}
          >
            Switch {on ? 'off' : 'on'}
          </Button>
        </Group>
      ))}
    </Group>
  )
}
