import { useRef } from 'react'

/**
 * For dialogs that an item of a menu opens: the item is gone when they close, so that the focus goes to the menu's
 * button.
 */
export function useFocusBack() {
  const target = useRef<HTMLButtonElement>(null)
  /** Called as the dialog closes, which lets the focus go a moment later. */
  const focusBack = () => void setTimeout(() => target.current?.focus(), 0)
  return { target, focusBack }
}
