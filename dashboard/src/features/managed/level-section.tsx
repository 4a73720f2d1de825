import { SegmentedControl, Text } from '@mantine/core'
import { levelOfRule, type ManagedRuleset, scoringRules } from '../../domain/ruleset/owasp/document.ts'
import { levelText } from '../../domain/ruleset/owasp/sentences.ts'
import { type Level, levelOf, type Settings } from '../../domain/ruleset/owasp/settings.ts'
import { Section } from '../../ui/page/section.tsx'

const meanings: Readonly<Record<Level, string>> = {
  1: 'Few false positives. Suits every site.',
  2: 'Detects more attacks, with some false positives. Suits sites with sensitive data.',
  3: 'Detects special cases and rare attacks. Plan time to tune false positives.',
  4: 'Flags everything unusual. Applications with complex input need some rules disabled.',
}

interface Props {
  readonly settings: Settings
  readonly ruleset: ManagedRuleset
  readonly disabled: boolean
  onChange(level: Level): void
}

export function LevelSection({ settings, ruleset, disabled, onChange }: Props) {
  const level = levelOf(settings)
  const upTo = (max: number) => scoringRules(ruleset).filter(rule => levelOfRule(rule) <= max).length
  return (
    <Section
      title="Paranoia level"
      text="Higher levels detect more and cause more false positives. Each level includes the rules of the lower levels."
    >
      <SegmentedControl
        aria-label="Paranoia level"
        fullWidth
        maw={480}
        disabled={disabled}
        value={level === undefined ? '' : String(level)}
        onChange={value => onChange(Number(value) as Level)}
        data={[1, 2, 3, 4].map(each => ({ value: String(each), label: `PL${each}` }))}
      />
      <Text size="sm" aria-live="polite">
        {level === undefined
          ? `Custom levels: ${levelText(settings)}. Selecting a level replaces them.`
          : `${meanings[level]} ${upTo(level)} of ${upTo(4)} rules.`}
      </Text>
    </Section>
  )
}
