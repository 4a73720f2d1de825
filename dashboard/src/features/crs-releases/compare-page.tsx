import { Group, NativeSelect, Skeleton, Stack } from '@mantine/core'
import { useRead, useSession } from '../../api/hooks.ts'
import type { CrsRelease } from '../../api/types.ts'
import { useUrlState } from '../../ui/address/use-url-state.ts'
import { LinkButton } from '../../ui/page/links.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { EmptyState, FailureState } from '../../ui/page/states.tsx'
import { ComparisonView } from './comparison-view.tsx'
import { releaseName, useReleases } from './use-releases.ts'

/** Differences between two releases, rule by rule. */
export default function ComparePage() {
  const releases = useReleases()
  return (
    <>
      <PageHeader
        title="Compare CRS releases"
        text="Differences between two releases. Rules match by number; changes in whitespace are ignored."
        actions={
          <LinkButton to="/crs-releases" variant="default">
            All releases
          </LinkButton>
        }
      />
      {releases.isError ? (
        <FailureState title="Failed to load releases" error={releases.error} />
      ) : releases.isPending ? (
        <Skeleton h={320} />
      ) : releases.data.length < 2 ? (
        <EmptyState
          title="Nothing to compare"
          text="A comparison needs two releases. Import another one first."
          action={<LinkButton to="/crs-releases">Back to releases</LinkButton>}
        />
      ) : (
        <Compare releases={releases.data} />
      )}
    </>
  )
}

function Compare({ releases }: { readonly releases: readonly CrsRelease[] }) {
  const active = releases.find(release => release.active)
  const newest = releases.at(-1)!
  const [from, setFrom] = useUrlState('from', (active ?? releases[0]!).version)
  const [to, setTo] = useUrlState('to', (newest === active ? releases.at(-2)! : newest).version)
  const comparison = useRead(
    'GET /accounts/{account_id}/waf/crs_releases/diff',
    { path: { account_id: useSession().accountId }, query: { from, to } },
    // A release never changes.
    { staleMs: Number.POSITIVE_INFINITY },
  )
  const data = releases.toReversed().map(release => ({
    value: release.version,
    label: `${releaseName(release, releases)}${release.active ? ', active' : ''}`,
  }))
  return (
    <Stack gap="md">
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label="From"
          w={{ base: '100%', xs: 240 }}
          value={from}
          onChange={event => setFrom(event.currentTarget.value)}
          data={data}
        />
        <NativeSelect
          label="To"
          w={{ base: '100%', xs: 240 }}
          value={to}
          onChange={event => setTo(event.currentTarget.value)}
          data={data}
        />
      </Group>
      {comparison.isError ? (
        <FailureState title="Failed to compare releases" error={comparison.error} />
      ) : comparison.isPending ? (
        <Skeleton h={320} />
      ) : (
        <ComparisonView key={`${from} ${to}`} comparison={comparison.data} />
      )}
    </Stack>
  )
}
