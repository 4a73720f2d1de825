import '@mantine/charts/styles.css'
import { BarChart, type BarChartSeries } from '@mantine/charts'
import { Paper, SimpleGrid, Title } from '@mantine/core'
import type { Bucket } from './buckets.ts'
import { bytesText, countText, durationText } from './health.ts'

/** Charts of a job; loaded on demand. */
export default function JobCharts({ buckets }: { readonly buckets: readonly Bucket[] }) {
  const total = (key: keyof Bucket) => buckets.reduce((sum, bucket) => sum + Number(bucket[key]), 0)
  const worst = Math.max(0, ...buckets.map(({ lag }) => lag ?? 0))
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Chart
        title="Lines delivered"
        summary={`${countText(total('lines'))} lines`}
        buckets={buckets}
        series={[{ name: 'lines', label: 'Lines', color: 'brand.6' }]}
        text={countText}
      />
      <Chart
        title="Bytes delivered"
        summary={`${bytesText(total('bytes'))}, ${bytesText(total('compressed'))} compressed`}
        buckets={buckets}
        series={[
          { name: 'bytes', label: 'Before compression', color: 'brand.6' },
          { name: 'compressed', label: 'Compressed', color: 'orange.6' },
        ]}
        text={bytesText}
      />
      <Chart
        title="Uploads by outcome"
        summary={`${countText(total('successful'))} successful, ${countText(total('retry'))} retried, ${countText(total('failed'))} failed`}
        buckets={buckets}
        series={[
          { name: 'successful', label: 'Successful', color: 'teal.6' },
          { name: 'retry', label: 'Retried', color: 'yellow.6' },
          { name: 'failed', label: 'Failed', color: 'red.6' },
        ]}
        text={countText}
        stacked
      />
      <Chart
        title="Maximum lag"
        summary={durationText(worst)}
        buckets={buckets}
        series={[{ name: 'lag', label: 'Lag', color: 'yellow.6' }]}
        text={durationText}
      />
    </SimpleGrid>
  )
}

interface ChartProps {
  readonly title: string
  /** Read by screen readers. */
  readonly summary: string
  readonly buckets: readonly Bucket[]
  readonly series: BarChartSeries[]
  readonly text: (value: number) => string
  readonly stacked?: boolean
}

function Chart({ title, summary, buckets, series, text, stacked = false }: ChartProps) {
  return (
    <Paper
      withBorder
      p="md"
      style={{ borderColor: 'var(--sluice-line)', background: 'var(--sluice-raised)' }}
    >
      <Title order={3} fz="sm" mb="sm">
        {title}
      </Title>
      <div role="img" aria-label={`${title}: ${summary}`}>
        <BarChart
          h={180}
          data={buckets.map(bucket => ({ ...bucket }))}
          dataKey="label"
          series={series}
          type={stacked ? 'stacked' : 'default'}
          withLegend={series.length > 1}
          valueFormatter={text}
          barChartProps={{ accessibilityLayer: false, margin: { top: 12 } }}
          barProps={{ isAnimationActive: false }}
          yAxisProps={{ width: 64, allowDecimals: false }}
          tickLine="none"
        />
      </div>
    </Paper>
  )
}
