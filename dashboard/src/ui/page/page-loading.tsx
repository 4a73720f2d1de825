import { Center, Loader } from '@mantine/core'

export function PageLoading() {
  return (
    <Center h="50vh">
      <Loader role="img" aria-label="Loading page" />
    </Center>
  )
}
