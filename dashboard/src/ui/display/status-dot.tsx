import classes from './status-dot.module.css'

export type Tone = 'good' | 'warn' | 'bad' | 'none'

/** A state in a word, repeated by a colour. Plain elements, because long tables have many. */
export function StatusDot({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  const background = tone === 'none' ? 'var(--mantine-color-dimmed)' : `var(--sluice-${tone})`
  return (
    <span className={classes['status']}>
      <span aria-hidden="true" className={classes['dot']} style={{ background }} />
      <span className="cut">{children}</span>
    </span>
  )
}
