import { SegmentedControl, Text } from '@mantine/core'
import { levelOfRule, type ManagedRuleset, scoringRules } from '../../managed/document.ts'
import { levelText } from '../../managed/sentences.ts'
import { type Level, levelOf, type Settings } from '../../managed/settings.ts'
import { Section } from '../../ui/section.tsx'

const meanings: Readonly<Record<Level, string>> = {
  1: 'Few false positives. For every site.',
  2: 'More attacks are seen, and some ordinary requests match. For sites with data worth protecting.',
  3: 'Special cases and rare attacks. Plan some time for switching rules off.',
  4: 'Everything that looks unusual. Applications that take complex input will need rules switched off.',
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
      text="How suspicious the rules are. A level has its own rules and those of the levels below it."
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
          ? `Levels are switched one by one: ${levelText(settings)}. Choosing one here replaces that.`
          : `${meanings[level]} ${upTo(level)} of ${upTo(4)} rules.`}
      </Text>
    </Section>
  )
}
