import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'

export interface Drag {
  readonly from: number
  readonly to: number
  /** Of the row's upper edge, in pixels of the list. */
  readonly top: number
}

interface Options {
  readonly scroller: RefObject<HTMLElement | null>
  /** Pixels; every row is as high as the next. */
  readonly rowHeight: number
  readonly count: number
  readonly onDrop: (from: number, to: number) => void
}

/** Near the edges of the list it scrolls, so many pixels a frame. */
const edge = 48
const speed = 12

/** Rows that are dragged with the mouse or a finger. Escape puts a row back. */
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

    const place = () => {
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
        place()
      }
      frame = requestAnimationFrame(step)
    }
    const move = (moved: globalThis.PointerEvent) => {
      pointer = moved.clientY
      place()
    }
    const finish = () => {
      cancelAnimationFrame(frame)
      removeEventListener('pointermove', move)
      removeEventListener('pointerup', drop)
      removeEventListener('pointercancel', finish)
      removeEventListener('keydown', cancel)
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
    addEventListener('pointermove', move)
    addEventListener('pointerup', drop)
    addEventListener('pointercancel', finish)
    addEventListener('keydown', cancel)
    end.current = finish
    frame = requestAnimationFrame(step)
    setDrag(latest)
  }
  return { drag, start }
}

/** Of the first row, also when it is scrolled out of sight. */
function topOf(list: HTMLElement): number {
  return list.getBoundingClientRect().top - list.scrollTop
}

/** Pixels that a row gives way to the one that is dragged. */
export function giveWay(index: number, { from, to }: Drag, rowHeight: number): number {
  if (from < index && index <= to) return -rowHeight
  return to <= index && index < from ? rowHeight : 0
}
