import type { ReactNode } from 'react'
import classes from './stale.module.css'

interface Props {
  /** A query with `keepPrevious`, or a list that keeps its rows until the next ones arrive. */
  readonly of: { readonly isPlaceholderData: boolean; readonly isError: boolean }
  readonly children: ReactNode
}

/** Dims figures that are outdated or failed to refetch. */
export function Stale({ of: { isPlaceholderData, isError }, children }: Props) {
  return (
    <div className={classes['stale']} data-stale={isPlaceholderData || isError} aria-busy={isPlaceholderData}>
      {children}
    </div>
  )
}
