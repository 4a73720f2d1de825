import { Button, Stack } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { LinkButton } from '../ui/page/links.tsx'
import { PageHeader } from '../ui/page/page-header.tsx'
import { FailureState } from '../ui/page/states.tsx'
import { Wordmark } from '../ui/page/wordmark.tsx'

/** An unknown address, inside the frame. */
export function PageNotFound() {
  return (
    <>
      <PageHeader title="Page not found" text="The address may be wrong, or the resource was deleted." />
      <LinkButton to="/" w="fit-content">
        Go to Overview
      </LinkButton>
    </>
  )
}

/** An unknown address, without the frame. */
export function AddressNotFound() {
  return (
    <Stack component="main" p="xl">
      <Wordmark />
      <PageNotFound />
    </Stack>
  )
}

/** Faults of the page itself, and chunks that fail to load, for example after an upgrade. */
export function PageFailure({ error }: ErrorComponentProps) {
  return (
    <Stack p="lg">
      <FailureState title="Something went wrong" error={error} />
      <Button onClick={() => location.reload()} w="fit-content">
        Reload
      </Button>
    </Stack>
  )
}
