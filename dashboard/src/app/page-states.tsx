import { Button, Center, Loader, Stack } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { LinkButton } from '../ui/links.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { FailureState } from '../ui/states.tsx'
import { Wordmark } from './wordmark.tsx'

export function PageLoading() {
  return (
    <Center h="50vh">
      <Loader role="img" aria-label="The page is loading" />
    </Center>
  )
}

/** Inside the frame. */
export function PageNotFound() {
  return (
    <>
      <PageHeader
        title="There is no such page"
        text="The address may be from another version, or what it names may be gone."
      />
      <LinkButton to="/">Go to the overview</LinkButton>
    </>
  )
}

/** Without a frame around it. */
export function AddressNotFound() {
  return (
    <Stack component="main" p="xl">
      <Wordmark />
      <PageNotFound />
    </Stack>
  )
}

/** For faults of the page itself, and parts of it that cannot be loaded, such as after an upgrade of Sluice. */
export function PageFailure({ error }: ErrorComponentProps) {
  return (
    <Stack p="lg">
      <FailureState title="This page does not work" error={error} />
      <Button onClick={() => location.reload()} w="fit-content">
        Reload
      </Button>
    </Stack>
  )
}
