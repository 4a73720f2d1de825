/** One log line; numbered, since nothing in it is surely its own. */
export interface Line {
  readonly number: number
  readonly values: Readonly<Record<string, unknown>>
}

/** The newest lines are kept, however long somebody looks. */
export const keptMax = 5000

/** Lines as they come, newest first when read; memory stays bounded. */
export class LineBuffer {
  #lines: Line[] = []
  #total = 0

  get total(): number {
    return this.#total
  }

  /** @param message of the WebSocket: several lines of JSON; one that cannot be read is left out */
  add(message: string): void {
    for (const text of message.split('\n')) {
      if (text === '') continue
      const values = parse(text)
      if (values !== undefined) this.#lines.push({ number: this.#total++, values })
    }
    // In larger steps, so that a line costs the same however many there are.
    if (this.#lines.length > 2 * keptMax) this.#lines = this.#lines.slice(-keptMax)
  }

  /** @returns a copy, newest first */
  newest(): readonly Line[] {
    return this.#lines.slice(-keptMax).reverse()
  }

  clear(): void {
    this.#lines = []
    this.#total = 0
  }
}

function parse(text: string): Line['values'] | undefined {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null ? (value as Line['values']) : undefined
  } catch {
    return undefined
  }
}
