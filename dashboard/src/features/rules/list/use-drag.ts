import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'

export interface Drag {
  readonly from: number
  readonly to: number
  /** Top of the row, in pixels of the list. */
  readonly top: number
}

interface Options {
  readonly scroller: RefObject<HTMLElement | null>
  /** Pixels; all rows have the same height. */
  readonly rowHeight: number
  readonly count: number
  readonly onDrop: (from: number, to: number) => void
}

/** Scroll speed near the edges of the list, in pixels per frame. */
const edge = 48
const speed = 12

/** Drags rows with the mouse or a finger. Escape cancels. */
export function useDrag({ scroller, rowHeight, count, onDrop }: Options) {
  const [drag, setDrag] = useState<Drag>()
  const end = useRef<(() => void) | undefined>(undefined)
  useEffect(() => () => end.current?.(), [])

  const start = (event: PointerEvent, from: number) => {
    const list = scroller.current
    if (event.button !== 0 || list === null) return
    event.preventDefault()
    const grip = event.clientY - topOf(list) - from * rowHeight
    let pointer = event.clientY
    let frame = 0
    let latest: Drag = { from, to: from, top: from * rowHeight }

    const follow = () => {
      const most = (count - 1) * rowHeight
      const top = Math.min(Math.max(pointer - topOf(list) - grip, 0), most)
      const to = Math.round(top / rowHeight)
      latest = { from, to, top }
      setDrag(latest)
    }
    const step = () => {
      const { top, bottom } = list.getBoundingClientRect()
      const by = pointer < top + edge ? -speed : pointer > bottom - edge ? speed : 0
      if (by !== 0) {
        list.scrollTop += by
        follow()
      }
      frame = requestAnimationFrame(step)
    }
    const move = (moved: globalThis.PointerEvent) => {
      pointer = moved.clientY
      follow()
    }
    const finish = () => {
      cancelAnimationFrame(frame)
      stop()
      end.current = undefined
      setDrag(undefined)
    }
    const drop = () => {
      finish()
      if (latest.to !== from) onDrop(from, latest.to)
    }
    const cancel = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') finish()
    }
    const stop = listen({ pointermove: move, pointerup: drop, pointercancel: finish, keydown: cancel })
    end.current = finish
    frame = requestAnimationFrame(step)
    setDrag(latest)
  }
  return { drag, start }
}

type Handlers = { readonly [Name in keyof WindowEventMap]?: (event: WindowEventMap[Name]) => void }

/** @returns a function that removes the handlers */
function listen(handlers: Handlers): () => void {
  const all = Object.entries(handlers) as [string, EventListener][]
  for (const [name, handler] of all) addEventListener(name, handler)
  return () => {
    for (const [name, handler] of all) removeEventListener(name, handler)
  }
}

/** Top of the first row, even when scrolled out of view. */
function topOf(list: HTMLElement): number {
  return list.getBoundingClientRect().top - list.scrollTop
}

/** Offset of a row, in pixels, that makes space for the dragged row. */
export function giveWay(index: number, { from, to }: Drag, rowHeight: number): number {
  if (from < index && index <= to) return -rowHeight
  return to <= index && index < from ? rowHeight : 0
}
