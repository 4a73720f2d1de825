import { emitKeypressEvents, type Key } from 'node:readline'

export interface TerminalEvents {
  /** @param step 1 for the next column, -1 for the previous one */
  readonly sort: (step: 1 | -1) => void
  readonly resized: () => void
}

/** The alternate screen of the terminal, which the shell's text comes back from when it closes. */
export class Terminal {
  readonly #events: TerminalEvents
  readonly #ended = Promise.withResolvers<false>()

  constructor(events: TerminalEvents) {
    this.#events = events
    process.stdout.write('\x1b[?1049h\x1b[?25l')
    emitKeypressEvents(process.stdin)
    process.stdin.setRawMode(true).resume()
    process.stdin.on('keypress', this.#onKey)
    process.stdout.on('resize', events.resized)
    process.once('SIGTERM', this.#end)
  }

  /** Shows as much as there is space for. */
  show(lines: readonly string[]): void {
    const { columns = 80, rows = 24 } = process.stdout
    const shown = lines.slice(0, rows - 1).map(line => `${[...line].slice(0, columns).join('')}\x1b[K\r\n`)
    process.stdout.write(`\x1b[H${shown.join('')}\x1b[J`)
  }

  /** @returns whether to go on, after this time; false as soon as the user quits */
  async waits(ms: number): Promise<boolean> {
    const timer = Promise.withResolvers<true>()
    const timeout = setTimeout(timer.resolve, ms, true)
    const goesOn = await Promise.race([timer.promise, this.#ended.promise])
    clearTimeout(timeout)
    return goesOn
  }

  close(): void {
    process.stdin.off('keypress', this.#onKey).setRawMode(false).pause()
    process.stdout.off('resize', this.#events.resized)
    process.off('SIGTERM', this.#end)
    process.stdout.write('\x1b[?25h\x1b[?1049l')
  }

  readonly #end = () => this.#ended.resolve(false)

  readonly #onKey = (_text: string | undefined, { name, ctrl }: Key) => {
    if (name === 'q' || (name === 'c' && ctrl)) this.#end()
    else if (name === 'left' || name === 'up') this.#events.sort(-1)
    else if (name === 'right' || name === 'down' || name === 's') this.#events.sort(1)
  }
}
