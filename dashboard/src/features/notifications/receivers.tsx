import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Permitted } from '../../ui/controls/permitted.tsx'
import { EmptyState, FailureState } from '../../ui/page/states.tsx'

interface Row {
  readonly id: string
  readonly name: string
}

interface Props<One extends Row> {
  readonly kind: 'policies' | 'webhooks'
  readonly list: {
    readonly rows: readonly One[]
    readonly isPending: boolean
    readonly isError: boolean
    readonly error: unknown
    readonly hasMore: boolean
    readonly onNearEnd: () => void
  }
  /** Id of the one that is tested now. */
  readonly testing: string | number | undefined
  onTest(one: One): void
  readonly about: (one: One) => ReactNode
}

/** Policies or webhooks, each with a button that sends a test. */
export function Receivers<One extends Row>({ kind, list, testing, onTest, about }: Props<One>) {
  if (list.isError) return <FailureState title={`Failed to load ${kind}`} error={list.error} />
  if (list.isPending) return <Skeleton h={80} />
  if (list.rows.length === 0)
    return <EmptyState title={`No ${kind} yet`} text="Create them with the API or with Terraform." />
  return (
    <>
      <Stack component="ul" gap="md" p={0} m={0} aria-label={kind} style={{ listStyle: 'none' }}>
        {list.rows.map(one => (
          <Group component="li" key={one.id} justify="space-between" align="flex-start" gap="sm">
            <div style={{ flex: '1 1 200px', minWidth: 0 }}>
              <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
                {one.name}
              </Text>
              {about(one)}
            </div>
            <Permitted needs="notifications write">
              {barred => (
                <Button
                  variant="default"
                  aria-label={`Send test to ${one.name}`}
                  loading={testing === one.id}
                  onClick={() => onTest(one)}
                  {...barred}
                >
                  Send test
                </Button>
              )}
            </Permitted>
          </Group>
        ))}
      </Stack>
      {list.hasMore ? (
        <Button variant="subtle" w="fit-content" onClick={list.onNearEnd}>
          Show more
        </Button>
      ) : null}
    </>
  )
}
