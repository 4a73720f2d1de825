import { histogramText, latencyBoundsMs } from '../support/latencies.ts'
import { median } from '../support/measure.ts'
import { figure } from '../support/table.ts'
import type { Entrant } from './entrants.ts'
import { type Turn, wrongVerdicts } from './turn.ts'

/** A table in Markdown, ready for the docs: the first column aligned left, the others right. */
export function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map(row => row[column]!.length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join(' | ')} |`
  const rule = widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

/** Both variants of a load, for every contender. */
export interface Turns {
  readonly entrant: Entrant
  readonly fixed: readonly Turn[]
  readonly varied: readonly Turn[]
}

export function loadTable(load: string, all: readonly Turns[]): string {
  const head = [
    load,
    'fixed, CPU µs',
    'of Sluice',
    'varied, CPU µs',
    'of Sluice',
    'requests/s, varied',
    'p50 ms',
    'p99 ms',
    'MiB idle',
    'MiB peak',
    'start s',
  ]
  const rows = all.map(({ entrant, fixed, varied }) => [
    entrant.contender.name,
    spread(fixed),
    ofSluice(all, entrant, 'fixed'),
    spread(varied),
    ofSluice(all, entrant, 'varied'),
    middle(varied, 'requestsPerSecond').toFixed(0),
    figure(middle(varied, 'p50Ms')),
    figure(middle(varied, 'p99Ms')),
    entrant.idleMebibytes.toFixed(0),
    Math.max(...[...fixed, ...varied].map(turn => turn.peakMebibytes)).toFixed(0),
    (entrant.readyMs / 1000).toFixed(1),
  ])
  const notes = all.map(({ entrant, fixed, varied }) => note(entrant, [...fixed, ...varied]))
  return [markdown(head, rows), ...notes].join('')
}

/** Median and 99th percentile of each shape within the varied load. */
export function latencyTable(all: readonly Turns[]): string {
  const cell = (shape: string, varied: readonly Turn[]) => {
    const middleOf = (key: 'p50Ms' | 'p99Ms') => figure(median(varied.map(turn => turn.byName[shape]![key])))
    return `${middleOf('p50Ms')} / ${middleOf('p99Ms')}`
  }
  return byShape('p50 / p99 ms, varied', all, cell)
}

/** How the latencies of each shape are distributed within the varied load. */
export function histogramTable(all: readonly Turns[]): string {
  const bounds = `up to ${latencyBoundsMs.join(', ')} ms, and more`
  const cell = (shape: string, varied: readonly Turn[]) => {
    const rounds = varied.map(turn => turn.byName[shape]!.counts)
    return `\`${histogramText(rounds[0]!.map((_, bucket) => rounds.reduce((sum, counts) => sum + counts[bucket]!, 0)))}\``
  }
  return `Tenths of the requests that took ${bounds}; 0 is less than a tenth, a dot none.\n\n${byShape('varied', all, cell)}`
}

function byShape(
  title: string,
  all: readonly Turns[],
  cell: (shape: string, varied: readonly Turn[]) => string,
): string {
  const shapes = Object.keys(all[0]!.varied[0]!.byName)
  const rows = shapes.map(shape => [shape, ...all.map(({ varied }) => cell(shape, varied))])
  return markdown([title, ...all.map(({ entrant }) => entrant.contender.name)], rows)
}

/** A line below a table, because a refused request costs less than one that passes; empty if all verdicts are right. */
function note({ contender }: Entrant, turns: readonly Turn[]): string {
  const wrong = wrongVerdicts(turns)
  return wrong === undefined ? '' : `\nwrong     ${contender.name}: ${wrong}`
}

/** `695 (677–907)`: median, least and most. */
function spread(turns: readonly Turn[]): string {
  const micros = turns.map(turn => turn.cpuMicros)
  if (micros.length === 1) return figure(micros[0]!)
  const [least, most] = [Math.min(...micros), Math.max(...micros)]
  return `${figure(median(micros))} (${figure(least)}–${figure(most)})`
}

/** The median of the rounds' ratios: other programs slow both turns of a round. */
function ofSluice(all: readonly Turns[], entrant: Entrant, variant: 'fixed' | 'varied'): string {
  const { level } = entrant.contender
  const own = all.find(({ entrant: { contender } }) => contender.isSluice && contender.level === level)
  if (own === undefined) return '–'
  const turns = all.find(other => other.entrant === entrant)![variant]
  return median(turns.map((turn, round) => turn.cpuMicros / own[variant][round]!.cpuMicros)).toFixed(2)
}

/** Turns of one entrant, for each load those of all rounds. */
export interface CostTurns {
  readonly entrant: Entrant
  readonly turnsByLoad: readonly (readonly Turn[])[]
}

export function costTable(title: string, loads: readonly string[], all: readonly CostTurns[]): string {
  const rows = all.map(({ entrant, turnsByLoad }) => [entrant.contender.name, ...turnsByLoad.map(spread)])
  const notes = all.map(({ entrant, turnsByLoad }) => note(entrant, turnsByLoad.flat()))
  return [markdown([title, ...loads], rows), ...notes].join('')
}

function middle(turns: readonly Turn[], key: 'requestsPerSecond' | 'p50Ms' | 'p99Ms'): number {
  return median(turns.map(turn => turn[key]))
}
