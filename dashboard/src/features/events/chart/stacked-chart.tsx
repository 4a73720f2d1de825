import '@mantine/charts/styles.css'
import { BarChart, ChartTooltip } from '@mantine/charts'
import { memo, useMemo } from 'react'
import classes from '../events.module.css'
import type { ChartSeries } from './series.ts'
import { tickText } from './steps.ts'

interface Props {
  readonly since: string
  /** Seconds. */
  readonly step: number
  readonly series: readonly ChartSeries[]
}

/** Loaded on demand: the chart library is large. */
export default memo(StackedChart)

function StackedChart({ since, step, series }: Props) {
  const bars = series[0]?.counts.length ?? 0
  const data = useMemo(() => {
    const first = Date.parse(since)
    const rangeMs = bars * step * 1000
    return Array.from({ length: bars }, (_, bar) => ({
      label: tickText(first + bar * step * 1000, rangeMs, step),
      // Keys are indexes: paths and names can contain dots, which chart keys must not.
      ...Object.fromEntries(series.map(({ counts }, index) => [`s${index}`, counts[bar] ?? 0])),
    }))
  }, [since, step, series, bars])
  const shown = useMemo(
    () => series.map(({ label, colour }, index) => ({ name: `s${index}`, label, color: colour })),
    [series],
  )
  if (bars === 0) return <div className={`${classes['chart']} ${classes['nothing']}`}>No data</div>
  const sums = series.map(({ label, total }) => `${label} ${total.toLocaleString()}`).join(', ')
  return (
    <div role="img" aria-label={`Events over time: ${sums}`}>
      <BarChart
        h={200}
        data={data}
        dataKey="label"
        type="stacked"
        series={shown}
        barChartProps={{ accessibilityLayer: false, barCategoryGap: 1 }}
        barProps={{ isAnimationActive: false }}
        yAxisProps={{ width: 48, allowDecimals: false }}
        xAxisProps={{ minTickGap: 48 }}
        tickLine="none"
        valueFormatter={value => value.toLocaleString()}
        tooltipProps={{
          isAnimationActive: false,
          content: ({ label, payload }) => (
            <ChartTooltip
              label={label}
              payload={[...(payload ?? [])].filter(({ value }) => Number(value) > 0)}
              series={shown}
              valueFormatter={value => value.toLocaleString()}
            />
          ),
        }}
      />
    </div>
  )
}
