import classes from './code-block.module.css'
import { CopyButton } from './copy-button.tsx'

interface Props {
  readonly text: string
  /** What it is, such as “the command”: said by the copy button and to screen readers. */
  readonly what: string
}

/** Text to take away: a command, JSON, a key. */
export function CodeBlock({ text, what }: Props) {
  return (
    <div className={classes['box']}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard */}
      <section className={classes['scroller']} tabIndex={0} aria-label={what}>
        <pre className={classes['text']}>
          <code>{text}</code>
        </pre>
      </section>
      <div className={classes['copy']}>
        <CopyButton text={text} what={what} />
      </div>
    </div>
  )
}
