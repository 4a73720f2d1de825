import { columns, type Figures, quantilesShown, type Row } from './figures.ts'

/** Lines of text. @param sortedBy number of the column by which jobs and zones are sorted */
export function screenOf(figures: Figures, title: string, sortedBy: number): readonly string[] {
  const { requests, active, actions, statuses, failures, quantiles, threads, jobs, zones } = figures
  return [
    title,
    '',
    `requests  ${number(requests)}/s, ${number(active)} in flight`,
    `status    ${pairs(statuses)}`,
    `actions   ${pairs(actions)}`,
    `latency   ${quantiles.map((value, at) => `p${quantilesShown[at]! * 100} ${milliseconds(value)}`).join('   ')}`,
    `problems  ${pairs(failures)}`,
    '',
    ...table('thread', columns.threads, threads.toSorted(byName)),
    '',
    ...table('job', columns.jobs, sorted(jobs, sortedBy), sortedBy),
    '',
    ...table('zone', columns.zones, sorted(zones, sortedBy), sortedBy),
  ]
}

function pairs(rows: readonly Row[]): string {
  if (rows.length === 0) return 'none'
  return rows.map(({ name, values }) => `${name} ${number(values[0]!)}/s`).join('   ')
}

function table(
  first: string,
  names: readonly string[],
  rows: readonly Row[],
  sortedBy?: number,
): readonly string[] {
  const column = sortedBy === undefined ? undefined : sortedBy % names.length
  const titles = names.map((name, at) => (at === column ? `${name}↓` : name))
  const line = (name: string, cells: readonly string[]) =>
    `${name.slice(0, nameWidth).padEnd(nameWidth)} ${cells.map(cell => cell.padStart(cellWidth)).join('')}`
  return [line(first, titles), ...rows.map(({ name, values }) => line(name, values.map(number)))]
}

const nameWidth = 32
const cellWidth = 12

function sorted(rows: readonly Row[], sortedBy: number): readonly Row[] {
  const at = sortedBy % (rows[0]?.values.length ?? 1)
  return rows.toSorted((a, b) => b.values[at]! - a.values[at]! || byName(a, b))
}

function byName(a: Row, b: Row): number {
  return a.name.localeCompare(b.name, 'en', { numeric: true })
}

function number(value: number): string {
  return value >= 100 || Number.isInteger(value) ? Math.round(value).toLocaleString('en') : value.toFixed(1)
}

function milliseconds(seconds: number): string {
  return Number.isNaN(seconds) ? '–' : `${number(seconds * 1000)} ms`
}
