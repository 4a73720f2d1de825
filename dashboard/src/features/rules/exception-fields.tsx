import { MultiSelect, Radio, Stack, Text } from '@mantine/core'
import type { Scope, SkipDraft } from './draft.ts'
import { owaspRulesetId, useManagedRules, useManagedRulesets } from './managed-rules.ts'
import { LoggingSwitch } from './skip-fields.tsx'
import { TargetFields } from './target-fields.tsx'

interface Props {
  readonly zoneId: string
  readonly skip: SkipDraft
  readonly logging: boolean
  readonly onChange: (skip: SkipDraft) => void
  readonly onLogging: (logging: boolean) => void
}

const scopes: readonly { readonly value: Scope; readonly label: string; readonly text: string }[] = [
  {
    value: 'targets',
    label: 'One value',
    text: 'A rule does not look at one argument, header or cookie. Smallest.',
  },
  { value: 'rules', label: 'Single rules', text: 'These rules are not asked; all others are.' },
  { value: 'rulesets', label: 'Whole rulesets', text: 'These managed rulesets are not run.' },
  {
    value: 'all',
    label: 'All remaining managed rules',
    text: 'Everything below this exception in the list. Largest.',
  },
]

/** What managed rules leave out for the requests that are meant: the smallest that helps is the safest. */
export function ExceptionFields({ zoneId, skip, logging, onChange, onLogging }: Props) {
  const managed = useManagedRules(zoneId)
  const rulesets = useManagedRulesets(zoneId)
  const chosen = skip.rules[owaspRulesetId] ?? []
  return (
    <Stack gap="md">
      <Radio.Group
        label="What is left out"
        value={skip.scope}
        onChange={scope => onChange(withScope(skip, scope as Scope))}
      >
        <Stack gap="xs" mt="xs">
          {scopes.map(({ value, label, text }) => (
            <Radio key={value} value={value} label={label} description={text} />
          ))}
        </Stack>
      </Radio.Group>
      {skip.scope === 'rules' ? (
        <MultiSelect
          label="Rules"
          description="Search by number, text or id."
          searchable
          limit={60}
          data={withUnknown(managed?.rules ?? [], chosen)}
          value={[...chosen]}
          onChange={ids => onChange({ ...skip, rules: { ...skip.rules, [owaspRulesetId]: ids } })}
          placeholder={
            chosen.length === 0 ? (managed === undefined ? 'Rules are being read …' : '942100') : ''
          }
          nothingFoundMessage="No rule has this in its text"
          maxDropdownHeight={320}
        />
      ) : null}
      {skip.scope === 'rulesets' ? (
        <MultiSelect
          label="Rulesets"
          data={withUnknown(rulesets ?? [], skip.rulesets)}
          value={[...skip.rulesets]}
          onChange={ids => onChange({ ...skip, rulesets: ids })}
          placeholder={skip.rulesets.length === 0 ? 'Choose rulesets' : ''}
        />
      ) : null}
      {skip.scope === 'targets' ? (
        <TargetFields
          managed={managed}
          targets={skip.targets}
          onChange={targets => onChange({ ...skip, targets })}
        />
      ) : null}
      {skip.scope === 'targets' && chosen.length > 0 ? (
        <Text size="sm" c="dimmed">
          The exception also names {chosen.length} single {chosen.length === 1 ? 'rule' : 'rules'}; choose
          “Single rules” to see and change them.
        </Text>
      ) : null}
      <LoggingSwitch logging={logging} onLogging={onLogging} />
    </Stack>
  )
}

function withScope(skip: SkipDraft, scope: Scope): SkipDraft {
  const isFirstTarget = scope === 'targets' && skip.targets.length === 0
  const rule = skip.rules[owaspRulesetId]?.[0]
  const target = { ...(rule === undefined ? {} : { rule }), collection: 'ARGS' }
  // The rule of the value is meant, and not all of it as well.
  return isFirstTarget ? { ...skip, scope, targets: [target], rules: {} } : { ...skip, scope }
}

/** Ids that nobody knows, such as of rules that a release has not any more, are shown as they are. */
function withUnknown(known: readonly { value: string; label: string }[], chosen: readonly string[]) {
  const others = chosen.filter(id => !known.some(({ value }) => value === id))
  return [...known, ...others.map(id => ({ value: id, label: id }))]
}
