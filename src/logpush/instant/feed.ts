import type { LogRecord } from '../../model/dataset.ts'
import type { InstantSession } from '../../model/resource.ts'
import { instantLimits } from '../limits.ts'
import { type Sampler, sampler } from '../output/sample.ts'
import type { InstantEnd, InstantListener } from '../types.ts'
import { type InstantProgram, programOf } from './session.ts'

/** One session with its listeners. A line is made once, however many listeners it has. */
export class Feed {
  readonly session: InstantSession
  readonly listeners = new Set<InstantListener>()
  readonly #program: InstantProgram
  readonly #samplers = new Map<string, Sampler>()
  #text = ''
  #lines = 0

  /** @throws Error for a session that another version accepted and this one cannot read */
  constructor(session: InstantSession) {
    const program = programOf(session)
    if (!program.ok) throw new Error(program.problem.message)
    this.session = session
    this.#program = program.value
  }

  /** Whether this record is worth parsing. */
  samples(partition: string, sequence: number): boolean {
    let isSampled = this.#samplers.get(partition)
    if (isSampled === undefined) {
      isSampled = sampler(1 / this.session.sample, partition)
      this.#samplers.set(partition, isSampled)
    }
    return isSampled(sequence)
  }

  add(fields: LogRecord): void {
    if (!this.#program.test(fields)) return
    this.#text += this.#program.encode(fields)
    this.#lines++
  }

  /**
   * Sends the added lines. A listener that has not taken the last ones gets none of these: a slow listener never
   * delays others.
   * @returns how many lines were sent and left out, summed over all listeners
   */
  flush(): { readonly sent: number; readonly leftOut: number } {
    const text = this.#text
    const lines = this.#lines
    this.#text = ''
    this.#lines = 0
    let sent = 0
    let leftOut = 0
    if (lines === 0) return { sent, leftOut }
    for (const listener of this.listeners) {
      if (listener.waitingBytes() > instantLimits.waitingBytesMax) {
        listener.leaveOut(lines)
        leftOut += lines
      } else {
        listener.send(text)
        sent += lines
      }
    }
    return { sent, leftOut }
  }

  end(reason: InstantEnd): void {
    const listeners = [...this.listeners]
    this.listeners.clear()
    for (const listener of listeners) listener.end(reason)
  }
}
