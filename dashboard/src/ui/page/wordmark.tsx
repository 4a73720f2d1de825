import { Group, Text } from '@mantine/core'

export function Wordmark() {
  return (
    <Group gap="xs" wrap="nowrap">
      <img src="/icon.svg" width={24} height={24} alt="" />
      <Text fw={650} size="lg" style={{ letterSpacing: '-0.01em' }}>
        Sluice
      </Text>
    </Group>
  )
}
