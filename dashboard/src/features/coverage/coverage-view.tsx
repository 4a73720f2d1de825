import { Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { Coverage } from '../../api/types.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { EmptyState, FailureState } from '../../ui/page/states.tsx'
import { CoverageList } from './coverage-list.tsx'

interface Props {
  readonly coverage: UseQueryResult<Coverage>
  readonly owner: 'zone' | 'account'
}

/** Every stored item of a zone or an account, with its effect. */
export function CoverageView({ coverage, owner }: Props) {
  return (
    <>
      <PageHeader
        title="Coverage"
        text={`The stored items of the ${owner}: enforced, partly enforced, or not enforced here. Items that are not enforced have no effect on requests.`}
      />
      {coverage.isError ? (
        <FailureState title="Failed to load coverage" error={coverage.error} />
      ) : coverage.isPending ? (
        <Skeleton h={320} />
      ) : coverage.data.items.length === 0 ? (
        <EmptyState
          title="Nothing is stored"
          text={`The ${owner} has no rulesets, settings or resources yet.`}
        />
      ) : (
        <CoverageList coverage={coverage.data} />
      )}
    </>
  )
}
