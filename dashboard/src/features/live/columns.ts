import type { Column } from '../../ui/display/data-table.tsx'
import type { Line } from './line-buffer.ts'

export interface LiveColumn {
  /** Name of the log field. */
  readonly field: string
  readonly title: string
  readonly width: string
  readonly align?: 'right'
  /** Shown by default. */
  readonly standard?: true
  readonly show?: (value: unknown) => string
}

/** Every session requests all fields, so that changing columns does not restart it. */
export const liveColumns: readonly LiveColumn[] = [
  { field: 'EdgeStartTimestamp', title: 'Time', width: '96px', standard: true, show: timeText },
  { field: 'ClientIP', title: 'Client', width: 'minmax(96px, 1fr)', standard: true },
  {
    field: 'ClientCountry',
    title: 'Country',
    width: '64px',
    show: value => String(value ?? '').toUpperCase(),
  },
  { field: 'ClientRequestMethod', title: 'Method', width: '68px', standard: true },
  { field: 'ClientRequestHost', title: 'Host', width: 'minmax(96px, 1fr)' },
  { field: 'ClientRequestURI', title: 'Path and query', width: 'minmax(120px, 3fr)', standard: true },
  { field: 'EdgeResponseStatus', title: 'Status', width: '56px', standard: true },
  {
    field: 'SecurityAction',
    title: 'Action',
    width: 'minmax(76px, 0.8fr)',
    standard: true,
    show: actionText,
  },
  { field: 'SecurityRuleDescription', title: 'Rule', width: 'minmax(96px, 1.5fr)' },
  { field: 'OriginResponseStatus', title: 'Origin status', width: '96px', align: 'right' },
  { field: 'EdgeTimeToFirstByteMs', title: 'TTFB (ms)', width: '104px', align: 'right' },
  { field: 'EdgeResponseBytes', title: 'Bytes', width: '84px', align: 'right' },
  { field: 'ClientRequestUserAgent', title: 'User agent', width: 'minmax(120px, 2fr)' },
  { field: 'RayID', title: 'Ray ID', width: '156px', standard: true },
]

export const liveFields = liveColumns.map(column => column.field).join(',')

export const standardColumns = liveColumns.filter(column => column.standard).map(column => column.field)

/** Omitted on narrow windows; the details always have all fields. */
const minWindows: Readonly<Record<string, number>> = {
  EdgeStartTimestamp: 480,
  ClientIP: 640,
  RayID: 1200,
  SecurityAction: 480,
  ClientRequestUserAgent: 992,
  SecurityRuleDescription: 992,
}

export function tableColumns(fields: readonly string[]): readonly Column<Line>[] {
  return liveColumns
    .filter(({ field }) => fields.includes(field))
    .map(({ field, title, width, align, show = textOf }) => ({
      key: field,
      title,
      width,
      minWindow: minWindows[field] ?? 0,
      ...(align === undefined ? {} : { align }),
      render: line => show(line.values[field]),
    }))
}

export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Nanoseconds since 1970 exceed the precision of a number; milliseconds suffice here. */
function timeText(value: unknown): string {
  const moment = new Date(Number(value) / 1e6)
  if (Number.isNaN(moment.getTime())) return ''
  return `${moment.toLocaleTimeString(undefined, { hour12: false })}.${String(moment.getMilliseconds()).padStart(3, '0')}`
}

function actionText(value: unknown): string {
  return value === 'unknown' ? '' : textOf(value)
}
