import { Center, Loader, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiFailure } from '../../../../api/failure.ts'
import { EmptyState, FailureState } from '../../../../ui/page/states.tsx'
import { type Managed, useManaged } from './use-managed.ts'

/** Loading, error and empty states of both managed ruleset pages. */
export function ManagedFrame({ children }: { readonly children: (managed: Managed) => ReactNode }) {
  const found = useManaged()
  if (found.state === 'ready') return children(found.managed)
  if (found.state === 'reading')
    return (
      <Center h="40vh">
        <Loader role="img" aria-label="Loading ruleset" />
      </Center>
    )
  if (found.error instanceof ApiFailure && found.error.status === 404)
    return (
      <EmptyState
        title="No CRS release"
        text={
          <>
            The managed ruleset needs an imported release of the OWASP Core Rule Set. On the server, run{' '}
            <Text span className="mono" inherit>
              npx sluice crs sync
            </Text>
            , then reload.
          </>
        }
      />
    )
  return <FailureState title="Failed to load managed ruleset" error={found.error} />
}
