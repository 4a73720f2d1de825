import { VisuallyHidden } from '@mantine/core'
import { useVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type ReactNode, useEffect, useId, useRef } from 'react'
import classes from './data-table.module.css'
import { useActiveRow } from './use-active-row.ts'
import { useShownColumns } from './use-shown-columns.ts'

export interface Column<Row> {
  readonly key: string
  readonly title: string
  /** For screen readers only, when the cells need no visible title. */
  readonly titleHidden?: true
  /** Track of a CSS grid: `120px`, `2fr`. */
  readonly width?: string
  readonly align?: 'right'
  /** Hidden on windows narrower than this many pixels. */
  readonly minWindow?: number
  readonly render: (row: Row) => ReactNode
}

interface Props<Row> {
  /** Label for screen readers. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  /** Pixels; all rows have the same height. */
  readonly rowHeight?: number
  /** CSS length; the table grows with its rows up to this height. */
  readonly maxHeight?: string
  /** Total number of rows when not all are loaded. */
  readonly total?: number
  /** Called when the last loaded rows become visible. */
  readonly onNearEnd?: () => void
  /** Enter or a click on a row. */
  readonly onOpen?: (row: Row) => void
  readonly rowClass?: (row: Row) => string | undefined
  /** Content below the cells of an `expanded` row; its height is free. */
  readonly detail?: (row: Row) => ReactNode
  /** Keys of rows. */
  readonly expanded?: ReadonlySet<string>
  /** Shown when there are no rows. */
  readonly empty?: ReactNode
}

/**
 * A table that renders only visible rows, so that 100,000 scroll like 10. Keyboard: Tab enters the table; arrow
 * keys, Page Up, Page Down, Home and End move; Enter opens. Tab enters the details of rows, Escape leaves them.
 */
export function DataTable<Row>(props: Props<Row>) {
  const { label, rows, rowKey, rowHeight = 44, maxHeight = '70vh', total, onNearEnd, onOpen, empty } = props
  const columns = useShownColumns(props.columns)
  const scroller = useRef<HTMLDivElement>(null)
  const id = useId()
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: index => rowKey(rows[index]!),
    overscan: 8,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  useEffect(() => {
    if (last >= rows.length - 10 && rows.length > 0) onNearEnd?.()
  }, [last, rows.length, onNearEnd])

  const { active, onKeyDown, onClick } = useActiveRow({
    rows,
    rowHeight,
    scroller,
    onOpen,
    scrollTo: virtual.scrollToIndex,
  })
  const tracks = { gridTemplateColumns: columns.map(column => column.width ?? '1fr').join(' ') }
  return (
    <div className={classes['frame']}>
      <div ref={scroller} className={classes['scroller']} style={{ maxHeight }}>
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table may be a grid (ARIA in HTML)
          role="grid"
          aria-label={label}
          aria-rowcount={(total ?? rows.length) + 1}
          aria-colcount={columns.length}
          aria-activedescendant={items.some(item => item.index === active) ? `${id}-${active}` : undefined}
          tabIndex={0}
          className={classes['table']}
          onKeyDown={onKeyDown}
          onClick={onClick}
        >
          <Head columns={columns} tracks={tracks} />
          <Body {...props} {...{ columns, rowHeight, tracks, virtual, active, id }} />
        </table>
      </div>
      {rows.length === 0 ? empty : null}
    </div>
  )
}

interface HeadProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly tracks: CSSProperties
}

function Head<Row>({ columns, tracks }: HeadProps<Row>) {
  return (
    <thead className={classes['head']}>
      <tr aria-rowindex={1} className={classes['titles']} style={tracks}>
        {columns.map(column => (
          <th key={column.key} scope="col" className={cellClass(column)}>
            {column.titleHidden ? <VisuallyHidden>{column.title}</VisuallyHidden> : column.title}
          </th>
        ))}
      </tr>
    </thead>
  )
}

interface BodyProps<Row> extends Props<Row> {
  readonly rowHeight: number
  readonly tracks: CSSProperties
  readonly virtual: Virtualizer<HTMLDivElement, Element>
  readonly active: number
  /** Of the table. */
  readonly id: string
}

function Body<Row>({ rows, rowKey, expanded, virtual, active, id, ...shared }: BodyProps<Row>) {
  return (
    <tbody className={classes['body']} style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(item => {
        const row = rows[item.index]!
        return (
          <BodyRow
            key={item.key}
            {...shared}
            item={item}
            row={row}
            id={`${id}-${item.index}`}
            isActive={item.index === active}
            isExpanded={expanded?.has(rowKey(row)) === true}
            measure={virtual.measureElement}
          />
        )
      })}
    </tbody>
  )
}

type Shared<Row> = Pick<BodyProps<Row>, 'columns' | 'rowHeight' | 'tracks' | 'onOpen' | 'rowClass' | 'detail'>

interface RowProps<Row> extends Shared<Row> {
  readonly item: VirtualItem
  readonly row: Row
  readonly id: string
  readonly isActive: boolean
  readonly isExpanded: boolean
  readonly measure: (row: Element | null) => void
}

function BodyRow<Row>(props: RowProps<Row>) {
  const { item, row, id, columns, tracks, rowHeight, onOpen, rowClass, detail, measure } = props
  const isOpen = detail !== undefined && props.isExpanded
  const height = isOpen ? { gridTemplateRows: `${rowHeight - 1}px auto` } : { height: rowHeight }
  return (
    <tr
      ref={detail === undefined ? undefined : measure}
      id={id}
      data-index={item.index}
      aria-rowindex={item.index + 2}
      aria-selected={props.isActive}
      data-openable={onOpen !== undefined || undefined}
      className={`${classes['row']} ${rowClass?.(row) ?? ''}`}
      style={{ ...tracks, ...height, transform: `translateY(${item.start}px)` }}
    >
      {columns.map(column => (
        <td key={column.key} className={cellClass(column)}>
          {column.render(row)}
        </td>
      ))}
      {isOpen ? (
        <td className={classes['detail']} data-detail aria-colspan={columns.length}>
          {detail(row)}
        </td>
      ) : null}
    </tr>
  )
}

function cellClass(column: { readonly align?: 'right' }): string {
  return `${classes['cell']} ${column.align === 'right' ? classes['right'] : ''}`
}
