import { Center, Loader, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiFailure } from '../../api/failure.ts'
import { EmptyState, FailureState } from '../../ui/states.tsx'
import { type Managed, useManaged } from './use-managed.ts'

/** What both pages of the managed ruleset show until there is a ruleset to work with. */
export function ManagedFrame({ children }: { readonly children: (managed: Managed) => ReactNode }) {
  const found = useManaged()
  if (found.state === 'ready') return children(found.managed)
  if (found.state === 'reading')
    return (
      <Center h="40vh">
        <Loader role="img" aria-label="The ruleset is being read" />
      </Center>
    )
  if (found.error instanceof ApiFailure && found.error.status === 404)
    return (
      <EmptyState
        title="There is no CRS release yet"
        text={
          <>
            The managed ruleset is made of an imported release of the OWASP Core Rule Set. On the server, run{' '}
            <Text span className="mono" inherit>
              npx sluice crs sync
            </Text>
            , then reload.
          </>
        }
      />
    )
  return <FailureState title="The managed ruleset cannot be read" error={found.error} />
}
