import { Button, Group, Loader, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { RulesetSummary } from '../../api/types.ts'
import { compareRulesets, isSame, restoreBody } from '../../domain/history/compare.ts'
import type { HistoryRule } from '../../domain/history/documents.ts'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { FailureState } from '../../ui/page/states.tsx'
import { DifferenceList } from './difference-list.tsx'
import { RestoreButton } from './restore-button.tsx'
import { type HistoryScope, useVersion } from './use-rulesets.ts'

interface Props {
  readonly scope: HistoryScope
  readonly rulesetId: string
  readonly phase: string
  readonly newest: string
  readonly versions: readonly RulesetSummary[]
  /** Undefined for the first version. */
  readonly from: string | undefined
  readonly to: string
  onFrom(version: string): void
  onRestored(): void
}

/** One version: differences from another version, its rules, and the restore button. */
export function VersionDifference(props: Props) {
  const { scope, rulesetId, phase, newest, versions, from, to, onFrom, onRestored } = props
  const after = useVersion(scope, rulesetId, to)
  const before = useVersion(scope, rulesetId, from)
  const current = useVersion(scope, rulesetId, newest)
  const [whole, setWhole] = useState(false)
  const failed = [after, before, current].find(query => query.isError)
  if (failed) return <FailureState title="Failed to load version" error={failed.error} />
  if (
    after.data === undefined ||
    current.data === undefined ||
    (from !== undefined && before.data === undefined)
  )
    return <Loader role="img" aria-label="Loading version" />
  const base = from === undefined ? undefined : before.data
  const difference = compareRulesets(base ?? { ...after.data, rules: [], description: '' }, after.data)
  return (
    <Stack component="section" aria-label={`Version ${to}`} gap="md">
      <Group justify="space-between" align="flex-end" gap="sm">
        <div>
          <Title order={2}>Version {to}</Title>
          <Text size="sm" c="dimmed">
            {after.data.rules.length} {after.data.rules.length === 1 ? 'rule' : 'rules'}
          </Text>
        </div>
        <Group align="flex-end" gap="sm">
          <ComparedWith versions={versions} from={from} to={to} onFrom={onFrom} />
          {to === newest ? null : (
            <RestoreButton
              scope={scope}
              phase={phase}
              version={to}
              isReady={!after.isPlaceholderData && !current.isPlaceholderData}
              difference={compareRulesets(current.data, after.data)}
              call={{
                method: 'PUT',
                path: `/${scope.kind}s/${scope.id}/rulesets/${rulesetId}`,
                body: restoreBody(after.data, current.data),
                ifMatch: newest,
              }}
              onRestored={onRestored}
            />
          )}
        </Group>
      </Group>
      {isSame(difference) ? (
        <Text size="sm">
          {from === undefined
            ? 'This version has no rules.'
            : `Version ${from} and version ${to} have the same rules.`}
        </Text>
      ) : (
        <DifferenceList scope={scope} difference={difference} />
      )}
      <WholeVersion rules={after.data.rules} version={to} shown={whole} onToggle={() => setWhole(!whole)} />
    </Stack>
  )
}

function ComparedWith({ versions, from, to, onFrom }: Pick<Props, 'versions' | 'from' | 'to' | 'onFrom'>) {
  const others = versions.filter(({ version }) => version !== to)
  if (others.length === 0) return null
  return (
    <NativeSelect
      label="Compared with"
      value={from ?? ''}
      onChange={event => onFrom(event.currentTarget.value)}
      data={[
        ...(from === undefined ? [{ value: '', label: 'None (first version)' }] : []),
        ...others.map(({ version }) => ({ value: version, label: `Version ${version}` })),
      ]}
    />
  )
}

interface WholeProps {
  readonly rules: readonly HistoryRule[]
  readonly version: string
  readonly shown: boolean
  onToggle(): void
}

function WholeVersion({ rules, version, shown, onToggle }: WholeProps) {
  return (
    <>
      <Button variant="subtle" size="compact-sm" w="fit-content" aria-expanded={shown} onClick={onToggle}>
        {shown ? 'Hide rules' : 'Show rules'}
      </Button>
      {shown ? (
        <CodeBlock text={JSON.stringify(rules, undefined, 2)} what={`rules of version ${version}`} />
      ) : null}
    </>
  )
}
