import { useRef } from 'react'

/**
 * For dialogs opened from a menu: the menu item is gone when they close, so the focus returns to the menu's
 * button.
 */
export function useFocusBack() {
  const target = useRef<HTMLButtonElement>(null)
  /** Call it when the dialog closes; it moves the focus a moment later. */
  const focusBack = () => void setTimeout(() => target.current?.focus(), 0)
  return { target, focusBack }
}
