import { Button, Group, Popover, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { localText, momentText } from '../display/local-time.ts'

/** Names and lengths of ranges that end now, in milliseconds. */
const presets = {
  '15m': 15 * 60_000,
  '1h': 3_600_000,
  '6h': 6 * 3_600_000,
  '24h': 24 * 3_600_000,
  '7d': 7 * 24 * 3_600_000,
  '30d': 30 * 24 * 3_600_000,
} as const

type Preset = keyof typeof presets

export interface TimeRange {
  /** ISO 8601; whole minutes, so that equal ranges share a query. */
  readonly since: string
  readonly until: string
  /** Undefined for a range with a fixed end. */
  readonly preset: Preset | undefined
}

/** The range in the address: `range=24h`, or `since=…&until=…`. */
export function useTimeRange(fallback: Preset = '24h'): TimeRange {
  const { range, since, until } = useSearch({ strict: false }) as Readonly<Record<string, string | undefined>>
  const minute = Math.floor(Date.now() / 60_000)
  return useMemo(() => {
    if (isMoment(since) && isMoment(until)) return { since, until, preset: undefined }
    const preset = range !== undefined && range in presets ? (range as Preset) : fallback
    const end = (minute + 1) * 60_000
    return { since: isoOf(end - presets[preset]), until: isoOf(end), preset }
  }, [range, since, until, fallback, minute])
}

/** Writes the range to the address; pages read it with `useTimeRange`. */
export function TimeRangePicker({ fallback = '24h' }: { readonly fallback?: Preset }) {
  const range = useTimeRange(fallback)
  const navigate = useNavigate()
  const [opened, setOpened] = useState(false)
  const go = (change: Readonly<Record<string, string | undefined>>) => {
    const next = (before: object) => ({
      ...before,
      range: undefined,
      since: undefined,
      until: undefined,
      ...change,
    })
    void navigate({ to: '.', search: next as never, replace: true })
  }
  return (
    <Group gap="xs">
      <SegmentedControl
        size="xs"
        aria-label="Time range"
        data={Object.keys(presets)}
        value={range.preset ?? ''}
        onChange={preset => go({ range: preset })}
      />
      <Popover opened={opened} onChange={setOpened} trapFocus withArrow>
        <Popover.Target>
          <Button
            size="xs"
            variant={range.preset === undefined ? 'light' : 'default'}
            onClick={() => setOpened(true)}
          >
            {range.preset === undefined
              ? `${momentText(range.since)} – ${momentText(range.until)}`
              : 'Custom…'}
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <CustomRange
            range={range}
            onApply={(since, until) => {
              setOpened(false)
              go({ since, until })
            }}
          />
        </Popover.Dropdown>
      </Popover>
    </Group>
  )
}

interface CustomProps {
  readonly range: TimeRange
  onApply(since: string, until: string): void
}

function CustomRange({ range, onApply }: CustomProps) {
  const [since, setSince] = useState(localText(Date.parse(range.since)))
  const [until, setUntil] = useState(localText(Date.parse(range.until)))
  const fault = since < until ? undefined : 'The end must be after the start'
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (fault === undefined) onApply(isoOf(Date.parse(since)), isoOf(Date.parse(until)))
      }}
    >
      <Stack gap="sm">
        <TextInput
          type="datetime-local"
          label="From"
          value={since}
          onChange={e => setSince(e.currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          label="Until"
          value={until}
          error={fault}
          onChange={e => setUntil(e.currentTarget.value)}
        />
        <Button type="submit" disabled={fault !== undefined}>
          Apply
        </Button>
      </Stack>
    </form>
  )
}

function isMoment(text: string | undefined): text is string {
  return text !== undefined && !Number.isNaN(Date.parse(text))
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}
