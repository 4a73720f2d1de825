import { VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import classes from './data-table.module.css'

export interface Column<Row> {
  readonly key: string
  readonly title: string
  /** For screen readers only, where the cells say enough. */
  readonly titleHidden?: true
  /** Track of a CSS grid: `120px`, `2fr`. */
  readonly width?: string
  readonly align?: 'right'
  /** Left out on windows that are narrower than this many pixels. */
  readonly minWindow?: number
  readonly render: (row: Row) => ReactNode
}

interface Props<Row> {
  /** What the table lists, for screen readers. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  /** Pixels; every row is as high as the next. */
  readonly rowHeight?: number
  /** CSS length; the table is as high as its rows up to this. */
  readonly maxHeight?: string
  /** Rows there are when they are not all loaded. */
  readonly total?: number
  /** Called when the last loaded rows come into sight. */
  readonly onNearEnd?: () => void
  /** Enter or a click on a row. */
  readonly onOpen?: (row: Row) => void
  readonly rowClass?: (row: Row) => string | undefined
  /** What a row that is `expanded` shows below its cells, as high as it needs to be. */
  readonly detail?: (row: Row) => ReactNode
  /** Keys of rows. */
  readonly expanded?: ReadonlySet<string>
  /** Shown in place of rows when there are none. */
  readonly empty?: ReactNode
}

/**
 * A table that draws only the rows in sight, so that 100,000 scroll like 10. By keyboard: Tab reaches it, the arrow
 * keys, Page Up, Page Down, Home and End move, Enter opens. Tab goes into the details of rows, Escape back out of them.
 */
export function DataTable<Row>(props: Props<Row>) {
  const {
    label,
    rows,
    rowKey,
    rowHeight = 44,
    maxHeight = '70vh',
    total,
    onNearEnd,
    onOpen,
    rowClass,
    detail,
    expanded,
    empty,
  } = props
  const columns = useShownColumns(props.columns)
  const scroller = useRef<HTMLDivElement>(null)
  const id = useId()
  const [active, setActive] = useState(-1)
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

  const move = (to: number) => {
    const index = Math.min(Math.max(to, 0), rows.length - 1)
    setActive(index)
    virtual.scrollToIndex(index)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape' && isDetail(event.target)) event.currentTarget.focus()
    // Links and buttons inside rows have keys of their own.
    if (event.target !== event.currentTarget || rows.length === 0) return
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1)
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: rows.length - 1,
    }
    const to = steps[event.key]
    if (to !== undefined) {
      event.preventDefault()
      move(to)
    } else if (event.key === 'Enter' && rows[active] !== undefined) onOpen?.(rows[active])
  }
  const onClick = ({ target }: MouseEvent) => {
    if (isDetail(target)) return
    const index = rowIndexAt(target)
    if (index === undefined || rows[index] === undefined) return
    setActive(index)
    if (!isControl(target)) onOpen?.(rows[index])
  }

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
          <thead className={classes['head']}>
            <tr aria-rowindex={1} className={classes['titles']} style={tracks}>
              {columns.map(column => (
                <th key={column.key} scope="col" className={cellClass(column)}>
                  {column.titleHidden ? <VisuallyHidden>{column.title}</VisuallyHidden> : column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className={classes['body']} style={{ height: virtual.getTotalSize() }}>
            {items.map(item => {
              const row = rows[item.index]!
              const isOpen = detail !== undefined && expanded?.has(rowKey(row)) === true
              const height = isOpen ? { gridTemplateRows: `${rowHeight - 1}px auto` } : { height: rowHeight }
              return (
                <tr
                  key={item.key}
                  ref={detail === undefined ? undefined : virtual.measureElement}
                  id={`${id}-${item.index}`}
                  data-index={item.index}
                  aria-rowindex={item.index + 2}
                  aria-selected={item.index === active}
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
            })}
          </tbody>
        </table>
      </div>
      {rows.length === 0 ? empty : null}
    </div>
  )
}

function rowIndexAt(target: EventTarget): number | undefined {
  const index = target instanceof Element ? target.closest('tr')?.dataset['index'] : undefined
  return index === undefined ? undefined : Number(index)
}

function cellClass(column: { readonly align?: 'right' }): string {
  return `${classes['cell']} ${column.align === 'right' ? classes['right'] : ''}`
}

/** Inside what a row shows below its cells? */
function isDetail(target: EventTarget): boolean {
  return target instanceof Element && target.closest('[data-detail]') !== null
}

/** Links and buttons inside a row do their own work. */
function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button, input, label, [role=menuitem]') !== null
}

const windows = [480, 640, 768, 992, 1200, 1600] as const

/** Columns for the width of the window; rounded up to the next of a few steps. */
function useShownColumns<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const fits = [
    useMediaQuery(`(min-width: ${windows[0]}px)`, true, { getInitialValueInEffect: false }),
    useMediaQuery(`(min-width: ${windows[1]}px)`, true, { getInitialValueInEffect: false }),
    useMediaQuery(`(min-width: ${windows[2]}px)`, true, { getInitialValueInEffect: false }),
    useMediaQuery(`(min-width: ${windows[3]}px)`, true, { getInitialValueInEffect: false }),
    useMediaQuery(`(min-width: ${windows[4]}px)`, true, { getInitialValueInEffect: false }),
    useMediaQuery(`(min-width: ${windows[5]}px)`, true, { getInitialValueInEffect: false }),
  ]
  return columns.filter(({ minWindow = 0 }) => {
    const step = windows.findIndex(width => width >= minWindow)
    return minWindow === 0 || (step >= 0 && fits[step])
  })
}
