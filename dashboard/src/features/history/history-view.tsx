import { Center, Group, Loader, NativeSelect, Stack, Text } from '@mantine/core'
import type { RulesetSummary } from '../../api/types.ts'
import { rulesetName } from '../../domain/history/documents.ts'
import { useUrlState } from '../../ui/address/use-url-state.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { EmptyState, FailureState } from '../../ui/page/states.tsx'
import { type HistoryScope, useOwnRulesets, useVersions } from './use-rulesets.ts'
import { VersionDifference } from './version-difference.tsx'
import { VersionList } from './version-list.tsx'

/** All versions of the rulesets of a zone or the account. */
export function HistoryView({ scope }: { readonly scope: HistoryScope }) {
  const rulesets = useOwnRulesets(scope)
  return (
    <>
      <PageHeader
        title="History"
        text="Every change of a ruleset creates a version. Compare two versions, or restore one: its rules become a new version."
      />
      {rulesets.isPending ? (
        <Center h="30vh">
          <Loader role="img" aria-label="Loading rulesets" />
        </Center>
      ) : rulesets.isError ? (
        <FailureState title="Failed to load rulesets" error={rulesets.error} />
      ) : rulesets.data.length === 0 ? (
        <EmptyState
          title="No versions yet"
          text={`Versions appear here once ${scope.kind === 'zone' ? 'this zone' : 'the account'} has rules.`}
        />
      ) : (
        <Rulesets scope={scope} rulesets={rulesets.data} />
      )}
    </>
  )
}

interface RulesetsProps {
  readonly scope: HistoryScope
  readonly rulesets: readonly RulesetSummary[]
}

function Rulesets({ scope, rulesets }: RulesetsProps) {
  const [id, setId] = useUrlState('ruleset')
  const [, setVersion] = useUrlState('version')
  const [, setAgainst] = useUrlState('against')
  const ruleset = rulesets.find(each => each.id === id) ?? rulesets[0]!
  const versions = useVersions(scope, ruleset.id)
  return (
    <Stack gap="md">
      <Group align="flex-end">
        <NativeSelect
          label="Ruleset"
          w={{ base: '100%', xs: 360 }}
          value={ruleset.id}
          onChange={event => {
            setId(event.currentTarget.value)
            // Version numbers belong to one ruleset.
            setVersion('')
            setAgainst('')
          }}
          data={rulesets.map(each => ({ value: each.id, label: rulesetName(each) }))}
        />
        <Text size="sm" c="dimmed" pb={8} className="mono">
          {ruleset.phase}
        </Text>
      </Group>
      {versions.isError ? <FailureState title="Failed to load versions" error={versions.error} /> : null}
      {versions.isPending ? <Loader role="img" aria-label="Loading versions" /> : null}
      {versions.data === undefined ? null : (
        <Versions key={ruleset.id} scope={scope} ruleset={ruleset} versions={versions.data} />
      )}
    </Stack>
  )
}

interface VersionsProps {
  readonly scope: HistoryScope
  readonly ruleset: RulesetSummary
  /** Newest first. */
  readonly versions: readonly RulesetSummary[]
}

function Versions({ scope, ruleset, versions }: VersionsProps) {
  const newest = versions[0]!.version
  const [toNamed, setTo] = useUrlState('version')
  const [fromNamed, setFrom] = useUrlState('against')
  const known = (version: string) => versions.some(each => each.version === version)
  const to = known(toNamed) ? toNamed : newest
  const before = versions[versions.findIndex(each => each.version === to) + 1]?.version
  const from = known(fromNamed) && fromNamed !== to ? fromNamed : before
  const choose = (version: string) => {
    setTo(version === newest ? '' : version)
    setFrom('')
  }
  return (
    <Stack gap="lg">
      <VersionList versions={versions} chosen={to} onChoose={choose} />
      <VersionDifference
        scope={scope}
        rulesetId={ruleset.id}
        phase={ruleset.phase}
        newest={newest}
        versions={versions}
        from={from}
        to={to}
        onFrom={version => setFrom(version === before ? '' : version)}
        onRestored={() => choose(newest)}
      />
    </Stack>
  )
}
