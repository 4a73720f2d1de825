import { useMediaQuery } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ComponentProps, useEffect, useMemo, useRef } from 'react'
import type { Rule } from '../../../domain/ruleset/rules/document.ts'
import type { Hits } from './hits.ts'
import classes from './rule-list.module.css'
import { type RowActions, RuleRow } from './rule-row.tsx'
import { type Drag, giveWay, useDrag } from './use-drag.ts'

interface Props {
  /** Label for screen readers. */
  readonly label: string
  /** All rules, in order. */
  readonly rules: readonly Rule[]
  /** Displayed rules: all, or the search results. */
  readonly shown: readonly Rule[]
  readonly path: string
  readonly hits: ((ruleId: string) => Hits) | undefined
  readonly barred: string | undefined
  readonly fixed: (rule: Rule) => { readonly text: string; readonly path: string } | undefined
  readonly actions: Omit<RowActions, 'onGrab'>
}

/** Rules in order; only visible ones are rendered. */
export function RuleList({ label, rules, shown, path, hits, barred, fixed, actions }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const rowHeight = useRowHeight()
  const indexes = useMemo(() => new Map(rules.map(({ id }, index) => [id, index])), [rules])
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: index => shown[index]!.id,
    overscan: 6,
  })
  // Rows change their height when the window does.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is a stable object
  useEffect(() => {
    virtual.measure()
  }, [rowHeight])
  const onDrop = (from: number, to: number) => actions.onMove(rules[from]!, from, to)
  const { drag, start } = useDrag({ scroller, rowHeight, count: rules.length, onDrop })
  const onMove: RowActions['onMove'] = (rule, from, to) => {
    actions.onMove(rule, from, to)
    virtual.scrollToIndex(to)
  }
  const own = useStable<RowActions>({ ...actions, onGrab: start, onMove })
  const height = shown.length * rowHeight
  return (
    <div
      ref={scroller}
      className={classes['list']}
      style={{ maxHeight: 'max(24rem, calc(100vh - 19rem))' }}
      data-dragging={drag !== undefined || undefined}
    >
      <ol className={classes['rows']} style={{ height }} aria-label={label}>
        {virtual.getVirtualItems().map(item => {
          const rule = shown[item.index]!
          const index = indexes.get(rule.id)!
          return (
            <ListItem
              key={item.key}
              rule={rule}
              index={index}
              count={rules.length}
              path={path}
              fixed={fixed(rule)}
              hits={hits?.(rule.id)}
              barred={barred}
              movable={shown.length === rules.length}
              actions={own}
              height={rowHeight}
              top={topOf(item.index, index, rowHeight, drag)}
              isDragged={drag?.from === index}
            />
          )
        })}
      </ol>
    </div>
  )
}

/** The top of a row in pixels, including the offset while a row is dragged. */
function topOf(at: number, index: number, rowHeight: number, drag: Drag | undefined): number {
  const top = at * rowHeight
  if (drag === undefined) return top
  return drag.from === index ? drag.top : top + giveWay(index, drag, rowHeight)
}

interface ItemProps extends ComponentProps<typeof RuleRow> {
  /** Pixels, like `top`. */
  readonly height: number
  readonly top: number
  readonly isDragged: boolean
}

function ListItem({ height, top, isDragged, ...row }: ItemProps) {
  const { rule, index, count, fixed, hits } = row
  return (
    <li
      className={classes['row']}
      aria-setsize={count}
      aria-posinset={index + 1}
      data-off={!rule.enabled || undefined}
      data-fixed={fixed !== undefined || undefined}
      data-dragged={isDragged || undefined}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <RuleRow {...row} hits={fixed === undefined ? hits : undefined} />
    </li>
  )
}

/** Pixels; rows have more lines on narrow windows (`rule-list.module.css`). */
function useRowHeight(): number {
  const isWide = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false })
  const isMedium = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false })
  return isWide ? 64 : isMedium ? 96 : 128
}

/** A stable object that calls the newest handlers, so that rows need not render again. */
function useStable<T extends object>(newest: T): T {
  const latest = useRef(newest)
  latest.current = newest
  const stable = useRef<T>(undefined)
  stable.current ??= new Proxy(newest, {
    get:
      (_, name) =>
      (...given: unknown[]) =>
        (latest.current as Record<PropertyKey, (...given: unknown[]) => unknown>)[name]!(...given),
  })
  return stable.current
}
