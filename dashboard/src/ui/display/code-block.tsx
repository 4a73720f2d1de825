import { CopyButton } from '../controls/copy-button.tsx'
import classes from './code-block.module.css'

interface Props {
  readonly text: string
  /** Noun such as “command”, for the copy button and screen readers. */
  readonly what: string
}

/** Text to copy: a command, JSON, a key. */
export function CodeBlock({ text, what }: Props) {
  return (
    <div className={classes['box']}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions need keyboard focus */}
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
