import { Tooltip as MantineTooltip } from '@mantine/core'
import { type ReactElement, type ReactNode, useCallback, useState } from 'react'

interface Props {
  readonly label: ReactNode
  /** The control that it is about; takes a `ref`. */
  readonly children: ReactElement
}

/**
 * Mantine's, drawn inside the dialog or the part of the page that its control is in. At the end of the body, its place
 * otherwise, it would be outside of them, where screen readers do not look while a dialog is open.
 */
export function Tooltip({ label, children }: Props) {
  const [place, setPlace] = useState<HTMLElement>()
  const findPlace = useCallback((control: HTMLElement | null) => {
    const around = control?.closest<HTMLElement>('[role=dialog], main, nav, header')
    if (around != null) setPlace(around)
  }, [])
  return (
    <MantineTooltip
      label={label}
      ref={findPlace}
      {...(place === undefined ? {} : { portalProps: { target: place } })}
    >
      {children}
    </MantineTooltip>
  )
}
