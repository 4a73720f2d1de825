import { MultiSelect, Radio, Stack, Text } from '@mantine/core'
import { owaspRulesetId } from '../../../domain/ruleset/owasp/document.ts'
import type { Scope, SkipDraft } from '../../../domain/ruleset/rules/draft.ts'
import { useManagedRules, useManagedRulesets } from './managed-rules.ts'
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
    text: 'A rule ignores one argument, header or cookie. Narrowest.',
  },
  { value: 'rules', label: 'Single rules', text: 'Skips these rules only.' },
  { value: 'rulesets', label: 'Whole rulesets', text: 'Skips these managed rulesets.' },
  {
    value: 'all',
    label: 'All remaining managed rules',
    text: 'Skips everything below this exception in the list. Widest.',
  },
]

/** Scope of the exception; the narrowest sufficient scope is the safest. */
export function ExceptionFields({ zoneId, skip, logging, onChange, onLogging }: Props) {
  const managed = useManagedRules(zoneId)
  const rulesets = useManagedRulesets(zoneId)
  const chosen = skip.rules[owaspRulesetId] ?? []
  return (
    <Stack gap="md">
      <Radio.Group
        label="Rules to skip"
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
          description="Search by number, message or ID."
          searchable
          limit={60}
          data={withUnknown(managed?.rules ?? [], chosen)}
          value={[...chosen]}
          onChange={ids => onChange({ ...skip, rules: { ...skip.rules, [owaspRulesetId]: ids } })}
          placeholder={chosen.length === 0 ? (managed === undefined ? 'Loading rules …' : '942100') : ''}
          nothingFoundMessage="No matching rules"
          maxDropdownHeight={320}
        />
      ) : null}
      {skip.scope === 'rulesets' ? (
        <MultiSelect
          label="Rulesets"
          data={withUnknown(rulesets ?? [], skip.rulesets)}
          value={[...skip.rulesets]}
          onChange={ids => onChange({ ...skip, rulesets: ids })}
          placeholder={skip.rulesets.length === 0 ? 'Select rulesets' : ''}
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
          The exception also names {chosen.length} single {chosen.length === 1 ? 'rule' : 'rules'}; select
          “Single rules” to edit them.
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
  // A value applies to its rule, so the rule itself is not skipped as well.
  return isFirstTarget ? { ...skip, scope, targets: [target], rules: {} } : { ...skip, scope }
}

/** Unknown ids, such as rules of another release, are shown as they are. */
function withUnknown(known: readonly { value: string; label: string }[], chosen: readonly string[]) {
  const others = chosen.filter(id => !known.some(({ value }) => value === id))
  return [...known, ...others.map(id => ({ value: id, label: id }))]
}
