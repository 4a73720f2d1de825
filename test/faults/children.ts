import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Kind = 'delivery' | 'writer'

/**
 * Processes that have loaded their modules and wait for their task: what is killed is replaced at once, and the kills
 * hit its work, not its loading.
 */
export class Spares {
  readonly #cache = mkdtempSync(join(tmpdir(), 'sluice-faults-cache-'))
  readonly #waiting = { delivery: [] as ChildProcess[], writer: [] as ChildProcess[] }
  readonly #wanted: number
  #closed = false

  /** @param wanted of each kind */
  constructor(wanted: number) {
    this.#wanted = wanted
    this.#fill()
  }

  take(kind: Kind): ChildProcess {
    const child = this.#waiting[kind].shift()!
    this.#fill()
    return child
  }

  async close(): Promise<void> {
    this.#closed = true
    const children = [...this.#waiting.delivery, ...this.#waiting.writer]
    await Promise.all(children.map(killed))
    rmSync(this.#cache, { recursive: true, force: true })
  }

  #fill(): void {
    if (this.#closed) return
    for (const kind of ['delivery', 'writer'] as const)
      while (this.#waiting[kind].length < this.#wanted) this.#waiting[kind].push(this.#spawn(kind))
  }

  #spawn(kind: Kind): ChildProcess {
    const env = { ...process.env, NODE_COMPILE_CACHE: this.#cache }
    return fork(join(import.meta.dirname, `${kind}-process.ts`), { env, execArgv: [], silent: true })
  }
}

/** Ends a process as nothing can prepare for; it is gone when this resolves. */
export async function killed(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** To a process that may be dying. */
export function tell(child: ChildProcess, message: object): void {
  if (child.connected) child.send(message, () => {})
}
