import type { ReactElement } from 'react'
import { type Permission, useMay } from '../api/permissions.ts'
import { Tooltip } from './tooltip.tsx'

/** To spread on a control: it looks and is announced as disabled, and can still be reached to learn why. */
export interface Barred {
  readonly 'aria-disabled'?: true
  readonly 'data-disabled'?: true
  readonly onClick?: (event: { preventDefault(): void; stopPropagation(): void }) => void
}

interface Props {
  readonly needs: Permission | readonly Permission[]
  /** The control; `barred` comes last among its attributes, so that it takes the place of `onClick`. */
  readonly children: (barred: Barred) => ReactElement
}

/** A control for those who may use it; for others the same, disabled, with the reason as its tooltip. */
export function Permitted({ needs, children }: Props) {
  const { may, reason } = useMay(...[needs].flat())
  if (may) return children({})
  return <Tooltip label={reason}>{children(barred)}</Tooltip>
}

const barred: Barred = {
  'aria-disabled': true,
  'data-disabled': true,
  onClick: event => {
    event.preventDefault()
    event.stopPropagation()
  },
}
