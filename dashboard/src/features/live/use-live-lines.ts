import { useCallback, useEffect, useRef, useState } from 'react'
import type { InstantSession } from '../../api/types.ts'
import { type Line, LineBuffer } from './line-buffer.ts'
import { Stream, type StreamState, type Wish } from './stream.ts'

/** Minimum time between redraws. */
const drawMs = 250

export interface LiveLines {
  readonly lines: readonly Line[]
  /** Lines since the start, shown or not. */
  readonly total: number
  /** Lines since the pause. */
  readonly waiting: number
  readonly state: StreamState
  takeOver(): void
  join(session: InstantSession): void
}

interface Shown {
  readonly lines: readonly Line[]
  readonly total: number
}

/** Live lines of a zone. While paused, lines are buffered and the table stays. */
export function useLiveLines(
  zoneId: string,
  { filter, sample }: Wish,
  paused: boolean,
  enabled: boolean,
): LiveLines {
  const buffer = useRef(new LineBuffer())
  const stream = useRef<Stream>(undefined)
  const [state, setState] = useState<StreamState>({ kind: 'connecting' })
  const [shown, setShown] = useState<Shown>({ lines: [], total: 0 })
  const [total, setTotal] = useState(0)
  const pausedNow = useRef(paused)
  pausedNow.current = paused

  const draw = useCallback(() => {
    setTotal(buffer.current.total)
    if (pausedNow.current) return
    setShown({ lines: buffer.current.newest(), total: buffer.current.total })
  }, [])

  useEffect(() => {
    if (!enabled) return
    const drawing = nowAndThen(draw)
    buffer.current.clear()
    draw()
    const opened = new Stream(
      zoneId,
      { filter, sample },
      {
        onState: setState,
        onMessage(text) {
          buffer.current.add(text)
          drawing.soon()
        },
      },
    )
    stream.current = opened
    void opened.start()
    return () => {
      drawing.cancel()
      opened.stop()
    }
  }, [zoneId, filter, sample, enabled, draw])

  useEffect(() => {
    if (!paused) draw()
  }, [paused, draw])

  return {
    ...shown,
    total,
    waiting: paused ? total - shown.total : 0,
    state,
    takeOver: () => void stream.current?.start(true),
    join: session => stream.current?.listen(session),
  }
}

/** Merges calls of `soon` into one call of `run` per `drawMs`. */
function nowAndThen(run: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    soon() {
      timer ??= setTimeout(() => {
        timer = undefined
        run()
      }, drawMs)
    },
    cancel: () => clearTimeout(timer),
  }
}
