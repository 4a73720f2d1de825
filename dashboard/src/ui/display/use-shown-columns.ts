import { useMediaQuery } from '@mantine/hooks'

const windows = [480, 640, 768, 992, 1200, 1600] as const

/** Columns for the width of the window, in a few steps. */
export function useShownColumns<Column extends { readonly minWindow?: number }>(
  columns: readonly Column[],
): readonly Column[] {
  const fits = [
    useMediaQuery(`(min-width: ${windows[0]}px)`, true, { getInitialValueInEffect: false }),
    useMediaQuery(`(min-width: ${windows[1]}px)`, true, { getInitialValueInEffect: false }),
    useMediaQuery(`(min-width: ${windows[2]}px)`, true, { getInitialValueInEffect: false }),
    useMediaQuery(`(min-width: ${windows[3]}px)`, true, { getInitialValueInEffect: false }),
    useMediaQuery(`(min-width: ${windows[4]}px)`, true, { getInitialValueInEffect: false }),
    useMediaQuery(`(min-width: ${windows[5]}px)`, true, { getInitialValueInEffect: false }),
  ]
  return columns.filter(({ minWindow = 0 }) => {
    const step = windows.findIndex(width => width >= minWindow)
    return minWindow === 0 || (step >= 0 && fits[step])
  })
}
