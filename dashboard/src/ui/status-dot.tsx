import classes from './status-dot.module.css'

export type Tone = 'good' | 'warn' | 'bad' | 'none'

/** A state in a word; the colour only repeats it. Long tables have many, so that it is plain elements. */
export function StatusDot({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  const background = tone === 'none' ? 'var(--mantine-color-dimmed)' : `var(--sluice-${tone})`
  return (
    <span className={classes['status']}>
      <span aria-hidden="true" className={classes['dot']} style={{ background }} />
      <span className="cut">{children}</span>
    </span>
  )
}
