import type { Sink, Target } from '../sinks/sink.ts'
import type { DestinationPolicy } from '../types.ts'

/** As long as an idle HTTP connection lasts. A thousand jobs between their objects then hold no clients. */
const idleMs = 4000

interface Kept {
  readonly destinationConf: string
  readonly sink: Sink
  readonly end: NodeJS.Timeout
}

/**
 * The open destination of a run. A job with much to deliver sends batch after batch: they share one client and its
 * connections, so that only the first pays for a TLS handshake. A failure ends it, so the next attempt starts afresh.
 */
export class KeptSink {
  #kept: Kept | undefined

  /** Opens the destination where none is kept for it. Not to be called before the last use has ended. */
  async use<T>(
    destinationConf: string,
    target: Target,
    policy: DestinationPolicy,
    work: (sink: Sink) => Promise<T>,
  ): Promise<T> {
    const sink = this.#take(destinationConf) ?? (await target.open(policy))
    try {
      const result = await work(sink)
      if (sink.reusable) this.#keep(destinationConf, sink)
      else sink.close()
      return result
    } catch (error) {
      sink.close()
      throw error
    }
  }

  close(): void {
    clearTimeout(this.#kept?.end)
    this.#kept?.sink.close()
    this.#kept = undefined
  }

  #take(destinationConf: string): Sink | undefined {
    const kept = this.#kept
    if (kept?.destinationConf !== destinationConf) {
      this.close()
      return undefined
    }
    clearTimeout(kept.end)
    this.#kept = undefined
    return kept.sink
  }

  #keep(destinationConf: string, sink: Sink): void {
    this.#kept = { destinationConf, sink, end: setTimeout(() => this.close(), idleMs).unref() }
  }
}
