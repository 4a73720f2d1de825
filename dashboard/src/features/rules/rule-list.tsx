import { useMediaQuery } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef } from 'react'
import type { Rule } from './document.ts'
import type { Hits } from './hits.ts'
import classes from './rule-list.module.css'
import { type RowActions, RuleRow } from './rule-row.tsx'
import { giveWay, useDrag } from './use-drag.ts'

interface Props {
  /** What the list holds, for screen readers. */
  readonly label: string
  /** All of them, in order. */
  readonly rules: readonly Rule[]
  /** Those that are shown: all, or what a search found. */
  readonly shown: readonly Rule[]
  readonly path: string
  readonly hits: ((ruleId: string) => Hits) | undefined
  readonly barred: string | undefined
  readonly fixed: (rule: Rule) => { readonly text: string; readonly path: string } | undefined
  readonly actions: Omit<RowActions, 'onGrab'>
}

/** Rules in their order, of which only those in sight are drawn. */
export function RuleList({ label, rules, shown, path, hits, barred, fixed, actions }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const rowHeight = useRowHeight()
  const places = useMemo(() => new Map(rules.map(({ id }, index) => [id, index])), [rules])
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: index => shown[index]!.id,
    overscan: 6,
  })
  // Rows have another height after the window was turned.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list itself is the same all the time
  useEffect(() => virtual.measure(), [rowHeight])
  const onDrop = (from: number, to: number) => actions.onMove(rules[from]!, from, to)
  const { drag, start } = useDrag({ scroller, rowHeight, count: rules.length, onDrop })
  const own = useStable<RowActions>({
    ...actions,
    onGrab: start,
    onMove: (rule, from, to) => {
      actions.onMove(rule, from, to)
      virtual.scrollToIndex(to)
    },
  })
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
          const index = places.get(rule.id)!
          const isDragged = drag?.from === index
          const top = item.index * rowHeight
          const y = drag === undefined ? top : isDragged ? drag.top : top + giveWay(index, drag, rowHeight)
          const fixedTo = fixed(rule)
          return (
            <li
              key={item.key}
              className={classes['row']}
              aria-setsize={rules.length}
              aria-posinset={index + 1}
              data-off={!rule.enabled || undefined}
              data-fixed={fixedTo !== undefined || undefined}
              data-dragged={isDragged || undefined}
              style={{ height: rowHeight, transform: `translateY(${y}px)` }}
            >
              <RuleRow
                rule={rule}
                index={index}
                count={rules.length}
                path={path}
                hits={fixedTo === undefined ? hits?.(rule.id) : undefined}
                barred={barred}
                movable={shown.length === rules.length}
                fixed={fixedTo}
                actions={own}
              />
            </li>
          )
        })}
      </ol>
    </div>
  )
}

/** Pixels; rows have more lines where there is less room for columns (`rule-list.module.css`). */
function useRowHeight(): number {
  const isWide = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false })
  const isMedium = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false })
  return isWide ? 64 : isMedium ? 96 : 128
}

/** The same object all the time, which does what the newest one does: rows need not be drawn anew. */
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
