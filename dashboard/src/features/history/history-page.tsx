import { Center, Group, Loader, NativeSelect, Stack, Text } from '@mantine/core'
import type { RulesetSummary } from '../../api/types.ts'
import { rulesetName } from '../../history/documents.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, FailureState } from '../../ui/states.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { type HistoryScope, useOwnRulesets, useVersions } from './use-rulesets.ts'
import { VersionDifference } from './version-difference.tsx'
import { VersionList } from './version-list.tsx'

/** Every version of the rulesets of a zone or of the account. */
export function HistoryPage({ scope }: { readonly scope: HistoryScope }) {
  const rulesets = useOwnRulesets(scope)
  return (
    <>
      <PageHeader
        title="History"
        text="Every change of a ruleset makes a version. Look at what is different between two, and go back to one: its rules are written as a new version, and nothing is lost."
      />
      {rulesets.isPending ? (
        <Center h="30vh">
          <Loader role="img" aria-label="Rulesets are being read" />
        </Center>
      ) : rulesets.isError ? (
        <FailureState title="The rulesets cannot be listed" error={rulesets.error} />
      ) : rulesets.data.length === 0 ? (
        <EmptyState
          title="Nothing has been changed yet"
          text={`As soon as ${scope.kind === 'zone' ? 'this zone' : 'the account'} has rules of its own, their versions are here.`}
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
            // Numbers of versions mean others in another ruleset.
            setVersion('')
            setAgainst('')
          }}
          data={rulesets.map(each => ({ value: each.id, label: rulesetName(each) }))}
        />
        <Text size="sm" c="dimmed" pb={8} className="mono">
          {ruleset.phase}
        </Text>
      </Group>
      {versions.isError ? (
        <FailureState title="The versions cannot be listed" error={versions.error} />
      ) : null}
      {versions.isPending ? <Loader role="img" aria-label="Versions are being read" /> : null}
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
