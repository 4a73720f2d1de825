import { instantLimits } from '../../kit/limits.ts'
import type { LogRecord } from '../../model/dataset.ts'
import type { InstantSession } from '../../model/resource.ts'
import { type Sampler, sampler } from '../output/sample.ts'
import type { InstantEnd, InstantListener } from '../types.ts'
import { type InstantProgram, programOf } from './session.ts'

/** One session and who listens to it. A line is made once, however many listen. */
export class Feed {
  readonly session: InstantSession
  readonly listeners = new Set<InstantListener>()
  readonly #program: InstantProgram
  readonly #samplers = new Map<string, Sampler>()
  #text = ''
  #lines = 0

  /** @throws Error for a session that was accepted by another version and means nothing to this one */
  constructor(session: InstantSession) {
    const program = programOf(session)
    if (!program.ok) throw new Error(program.problem.message)
    this.session = session
    this.#program = program.value
  }

  /** Is it worth to parse this record? */
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
   * Sends what was added. Who has not taken what was sent before gets nothing of it: nobody waits for a listener.
   * @returns how many lines were sent and left out, each listener's counted
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
