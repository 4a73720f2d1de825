import { SegmentedControl } from '@mantine/core'
import { useMemo } from 'react'
import { useUrlState } from '../../ui/address/use-url-state.ts'

const hourMs = 3_600_000
const ranges = {
  '24h': { ms: 24 * hourMs, name: '24 h' },
  '7d': { ms: 7 * 24 * hourMs, name: '7 days' },
  // The hour that began 30 days ago is already outside the retention.
  '30d': { ms: (30 * 24 - 1) * hourMs, name: '30 days' },
} as const

type Range = keyof typeof ranges

/** The range in the address: `range=7d`. Health is counted by whole hours. */
export function useHealthRange(): { readonly since: string; readonly name: string } {
  const [text] = useUrlState('range', '24h')
  const { ms, name } = ranges[text in ranges ? (text as Range) : '24h']
  const hour = Math.floor(Date.now() / hourMs)
  return useMemo(
    () => ({ since: new Date(hour * hourMs - ms).toISOString().replace('.000Z', 'Z'), name }),
    [hour, ms, name],
  )
}

export function HealthRange() {
  const [range, setRange] = useUrlState('range', '24h')
  return (
    <SegmentedControl
      size="xs"
      aria-label="Time range"
      data={Object.entries(ranges).map(([value, { name }]) => ({ value, label: name }))}
      value={range}
      onChange={setRange}
    />
  )
}
