/**
 * Focuses the start of the page content after the focused control disappeared, so that Tab does not restart in the
 * navigation. Does nothing when another element has the focus.
 */
export function focusContent(): void {
  if (document.activeElement === document.body)
    document.getElementById('content')?.focus({ preventScroll: true })
}
