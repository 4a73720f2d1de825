import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface Target {
  /** Path inside the page, such as `/zones/…/live`. */
  readonly to: string
  readonly search?: Readonly<Record<string, string>>
  readonly children: ReactNode
  /** -1 inside rows that open with Enter. */
  readonly tabIndex?: -1
}

export function TextLink({ to, search, ...rest }: Target & AnchorProps) {
  return (
    <Anchor renderRoot={props => <Link to={to} search={(search ?? {}) as never} {...props} />} {...rest} />
  )
}

export function LinkButton({ to, search, ...rest }: Target & ButtonProps) {
  return (
    <Button renderRoot={props => <Link to={to} search={(search ?? {}) as never} {...props} />} {...rest} />
  )
}
