import type { ReactElement } from 'react'
import { type Permission, useMay } from '../../api/permissions.ts'
import { Tooltip } from './tooltip.tsx'

/** Props that disable a control but keep it focusable, so that users can read the reason. */
export interface Barred {
  readonly 'aria-disabled'?: true
  readonly 'data-disabled'?: true
  readonly onClick?: (event: { preventDefault(): void; stopPropagation(): void }) => void
}

interface Props {
  readonly needs: Permission | readonly Permission[]
  /** The control; spread `barred` last, so that it replaces `onClick`. */
  readonly children: (barred: Barred) => ReactElement
}

/** A control that needs permissions. Without them it is disabled, with the reason as its tooltip. */
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
