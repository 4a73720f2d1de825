import { type KeyboardEvent, type MouseEvent, type RefObject, useState } from 'react'

interface ActiveOptions<Row> {
  readonly rows: readonly Row[]
  readonly rowHeight: number
  readonly scroller: RefObject<HTMLElement | null>
  readonly onOpen: ((row: Row) => void) | undefined
  readonly scrollTo: (index: number) => void
}

/** The row under the keyboard (-1 before the first key or click), with the handlers that move it. */
export function useActiveRow<Row>({ rows, rowHeight, scroller, onOpen, scrollTo }: ActiveOptions<Row>) {
  const [active, setActive] = useState(-1)
  const move = (to: number) => {
    const index = Math.min(Math.max(to, 0), rows.length - 1)
    setActive(index)
    scrollTo(index)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape' && isDetail(event.target)) event.currentTarget.focus()
    // Links and buttons inside rows handle their own keys.
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
  return { active, onKeyDown, onClick }
}

function rowIndexAt(target: EventTarget): number | undefined {
  const index = target instanceof Element ? target.closest('tr')?.dataset['index'] : undefined
  return index === undefined ? undefined : Number(index)
}

/** True inside the expanded content of a row. */
function isDetail(target: EventTarget): boolean {
  return target instanceof Element && target.closest('[data-detail]') !== null
}

/** Links and buttons inside a row handle their own clicks. */
function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button, input, label, [role=menuitem]') !== null
}
