/**
 * For when the control that had the focus is gone with what it did: the Tab key goes on at the beginning of the page’s
 * content, not of its navigation. A focus that is somewhere stays there.
 */
export function focusContent(): void {
  if (document.activeElement === document.body)
    document.getElementById('content')?.focus({ preventScroll: true })
}
