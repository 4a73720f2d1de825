import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useUrlState } from './use-url-state.ts'

/** Milliseconds without a key until what was typed is searched for. */
const pauseMs = 150

/**
 * What is typed into a search field whose text is in the address. The field shows `typed`, at once; the address, and
 * `text` with it, follow when the typing pauses. A link to another address fills the field anew.
 */
export function useUrlText(name: string): {
  readonly typed: string
  readonly setTyped: (typed: string) => void
  /** In the address, without blanks around it. */
  readonly text: string
} {
  const [text, setText] = useUrlState(name)
  const [typed, setTyped] = useState(text)
  const [settled] = useDebouncedValue(typed.trim(), pauseMs)
  /** Texts of this field that the address has or is about to have. */
  const written = useRef([text])
  useEffect(() => {
    if (settled === written.current.at(-1)) return
    written.current.push(settled)
    setText(settled)
  }, [settled, setText])
  useEffect(() => {
    const known = written.current.lastIndexOf(text)
    written.current = known < 0 ? [text] : written.current.slice(known)
    if (known < 0) setTyped(text)
  }, [text])
  return { typed, setTyped, text: text.trim() }
}
