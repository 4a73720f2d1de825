import { Button, Group, Loader, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { RulesetSummary } from '../../api/types.ts'
import { compareRulesets, isSame, restoreBody } from '../../history/compare.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { FailureState } from '../../ui/states.tsx'
import { DifferenceList } from './difference-list.tsx'
import { RestoreButton } from './restore-button.tsx'
import { type HistoryScope, useVersion } from './use-rulesets.ts'

interface Props {
  readonly scope: HistoryScope
  readonly rulesetId: string
  readonly phase: string
  readonly newest: string
  readonly versions: readonly RulesetSummary[]
  /** Undefined for the first version, which has none before it. */
  readonly from: string | undefined
  readonly to: string
  onFrom(version: string): void
  onRestored(): void
}

/** One version: what it changed against another, its rules, and the way back to it. */
export function VersionDifference(props: Props) {
  const { scope, rulesetId, phase, newest, versions, from, to, onFrom, onRestored } = props
  const after = useVersion(scope, rulesetId, to)
  const before = useVersion(scope, rulesetId, from)
  const current = useVersion(scope, rulesetId, newest)
  const [whole, setWhole] = useState(false)
  const failed = [after, before, current].find(query => query.isError)
  if (failed) return <FailureState title="The version cannot be read" error={failed.error} />
  if (
    after.data === undefined ||
    current.data === undefined ||
    (from !== undefined && before.data === undefined)
  )
    return <Loader role="img" aria-label="The version is being read" />
  const others = versions.filter(({ version }) => version !== to)
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
          {others.length === 0 ? null : (
            <NativeSelect
              label="Compared with"
              value={from ?? ''}
              onChange={event => onFrom(event.currentTarget.value)}
              data={[
                ...(from === undefined ? [{ value: '', label: 'Nothing: it is the first' }] : []),
                ...others.map(({ version }) => ({ value: version, label: `Version ${version}` })),
              ]}
            />
          )}
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
          {from === undefined ? 'It has no rules.' : `Version ${from} and version ${to} have the same rules.`}
        </Text>
      ) : (
        <DifferenceList scope={scope} difference={difference} />
      )}
      <Button
        variant="subtle"
        size="compact-sm"
        w="fit-content"
        aria-expanded={whole}
        onClick={() => setWhole(!whole)}
      >
        {whole ? 'Hide the rules of this version' : 'Show the rules of this version'}
      </Button>
      {whole ? (
        <CodeBlock
          text={JSON.stringify(after.data.rules, undefined, 2)}
          what={`the rules of version ${to}`}
        />
      ) : null}
    </Stack>
  )
}
