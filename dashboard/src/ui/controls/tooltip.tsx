import { Tooltip as MantineTooltip } from '@mantine/core'
import { type ReactElement, type ReactNode, useCallback, useState } from 'react'

interface Props {
  readonly label: ReactNode
  /** The described control; takes a `ref`. */
  readonly children: ReactElement
}

/**
 * Mantine's tooltip, rendered inside the dialog or landmark of its control. The default at the end of the body is
 * outside of them, where screen readers do not look while a dialog is open.
 */
export function Tooltip({ label, children }: Props) {
  const [container, setContainer] = useState<HTMLElement>()
  const findContainer = useCallback((control: HTMLElement | null) => {
    const around = control?.closest<HTMLElement>('[role=dialog], main, nav, header')
    if (around != null) setContainer(around)
  }, [])
  return (
    <MantineTooltip
      label={label}
      ref={findContainer}
      {...(container === undefined ? {} : { portalProps: { target: container } })}
    >
      {children}
    </MantineTooltip>
  )
}
