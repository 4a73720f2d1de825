/** One log line, with a number as its key: no field is unique. */
export interface Line {
  readonly number: number
  readonly values: Readonly<Record<string, unknown>>
}

/** The buffer keeps the newest lines. */
export const keptMax = 5000

/** Buffers arriving lines; reads newest first; bounded memory. */
export class LineBuffer {
  #lines: Line[] = []
  #total = 0

  get total(): number {
    return this.#total
  }

  /** @param message WebSocket message with several lines of JSON; unreadable lines are dropped */
  add(message: string): void {
    for (const text of message.split('\n')) {
      if (text === '') continue
      const values = parse(text)
      if (values !== undefined) this.#lines.push({ number: this.#total++, values })
    }
    // Trims in larger steps, so that the cost per line is constant.
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
