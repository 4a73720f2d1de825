import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useUrlState } from './use-url-state.ts'

/** Debounce of typed text, in milliseconds. */
const pauseMs = 150

/**
 * The text of a search field that is kept in the address. The field shows `typed` at once. The address, and `text` with
 * it, follow when the user pauses. A link to another address updates the field.
 */
export function useUrlText(name: string): {
  readonly typed: string
  readonly setTyped: (typed: string) => void
  /** The text in the address, trimmed. */
  readonly text: string
} {
  const [text, setText] = useUrlState(name)
  const [typed, setTyped] = useState(text)
  const [settled] = useDebouncedValue(typed.trim(), pauseMs)
  /** Texts that this field wrote, or is about to write, to the address. */
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
