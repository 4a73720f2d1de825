import type { Sample } from './samples.ts'

const width = 720
const panelHeight = 110
const left = 64
const right = 12
const gap = 34

interface Panel {
  readonly title: string
  readonly series: readonly ((sample: Sample) => number)[]
}

const panels: readonly Panel[] = [
  { title: 'resident memory, MiB', series: [sample => sample.mebibytes] },
  {
    title: 'latency p50 and p99, ms',
    series: [sample => sample.p50Ms, sample => sample.p99Ms],
  },
  { title: 'records not yet delivered', series: [sample => sample.undelivered] },
]

/** Memory, latency and backlog by the minute, as SVG, in colours for light and dark pages. */
export function chartOf(samples: readonly Sample[]): string {
  const height = panels.length * (panelHeight + gap) + gap / 2
  const body = panels.map((panel, at) => drawn(panel, samples, at * (panelHeight + gap) + gap - 12))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<title>Memory, latency and backlog by the minute</title>
<style>text{fill:#7d8590}path{fill:none;stroke:#3b82c4;stroke-width:1.5}.other{stroke:#d97706}.axis{stroke:#7d8590;stroke-width:.5}</style>
${body.join('\n')}
</svg>
`
}

function drawn({ title, series }: Panel, samples: readonly Sample[], top: number): string {
  const values = series.map(read => samples.map(read))
  const max = roundUp(Math.max(...values.flat()))
  const minutes = samples.at(-1)!.minute
  const bottom = top + panelHeight
  const x = (minute: number) => (left + (minute / minutes) * (width - left - right)).toFixed(1)
  const y = (value: number) => (bottom - (value / max) * panelHeight).toFixed(1)
  const lines = values.map((of, at) => {
    const points = of.map((value, index) => `${x(samples[index]!.minute)} ${y(value)}`)
    return `<path${at > 0 ? ' class="other"' : ''} d="M${points.join('L')}"/>`
  })
  return `<text x="${left}" y="${top - 6}">${title}</text>
<path class="axis" d="M${left} ${top}V${bottom}H${width - right}"/>
<text x="${left - 6}" y="${top + 5}" text-anchor="end">${max}</text>
<text x="${left - 6}" y="${bottom}" text-anchor="end">0</text>
<text x="${width - right}" y="${bottom + 14}" text-anchor="end">${minutes.toFixed(0)} min</text>
${lines.join('\n')}`
}

/** To the next number that reads well. */
function roundUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(value, 1)))
  return [1, 2, 5, 10].map(times => times * unit).find(bound => bound >= value)!
}
