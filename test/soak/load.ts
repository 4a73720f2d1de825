import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { LoadFigures, LoadOrder, ToLoad } from './load-process.ts'

const warmUpMs = 10_000

/** The clients of a run. */
export class Load {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  static async start(order: LoadOrder): Promise<Load> {
    const load = new Load(fork(join(import.meta.dirname, 'load-process.ts')))
    await load.#ask({ order })
    return load
  }

  /** Requests a second that the edge answers when clients send one after the other. @throws when one fails */
  async maximum(forMs: number): Promise<number> {
    const before = await this.#ask({ fullForMs: warmUpMs })
    const startMs = performance.now()
    const after = await this.#ask({ fullForMs: forMs })
    const failures = [...before.failures, ...after.failures]
    if (failures.length > 0) throw new Error(`${failures.length} requests failed, as ${failures[0]}`)
    return ((after.sent - before.sent) * 1000) / (performance.now() - startMs)
  }

  hold(perSecond: number): void {
    this.#child.send({ perSecond } satisfies ToLoad)
  }

  look(): Promise<LoadFigures> {
    return this.#ask('look')
  }

  async end(): Promise<LoadFigures> {
    return this.#ask('end')
  }

  close(): void {
    this.#child.disconnect()
  }

  async #ask(message: ToLoad): Promise<LoadFigures> {
    this.#child.send(message)
    const [figures] = await once(this.#child, 'message')
    return figures as LoadFigures
  }
}
