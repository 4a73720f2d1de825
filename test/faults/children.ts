import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle } from '../support/bundle.ts'

export type Kind = 'delivery' | 'writer'

/**
 * Processes that have loaded their modules and wait for their task: what is killed is replaced at once, and the kills
 * hit its work, not its loading.
 */
export class Spares {
  readonly #directory: string
  readonly #scripts: ReadonlyMap<Kind, string>
  readonly #waiting = new Map<Kind, ChildProcess>()
  #closed = false

  private constructor(directory: string, scripts: ReadonlyMap<Kind, string>) {
    this.#directory = directory
    this.#scripts = scripts
  }

  /** @param kinds that will be taken */
  static async open(kinds: readonly Kind[]): Promise<Spares> {
    const directory = await mkdtemp(join(tmpdir(), 'sluice-faults-spares-'))
    const sources = kinds.map(kind => join(import.meta.dirname, `${kind}-process.ts`))
    const scripts = await bundle(sources, directory)
    return new Spares(directory, new Map(kinds.map((kind, at) => [kind, scripts[at]!])))
  }

  take(kind: Kind): ChildProcess {
    const child = this.#waiting.get(kind) ?? this.#spawn(kind)
    this.#waiting.delete(kind)
    if (!this.#closed) this.#waiting.set(kind, this.#spawn(kind))
    return child
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#waiting.values()].map(killed))
    await rm(this.#directory, { recursive: true, force: true })
  }

  #spawn(kind: Kind): ChildProcess {
    const env = { ...process.env, NODE_COMPILE_CACHE: join(this.#directory, 'cache') }
    return fork(this.#scripts.get(kind)!, { env, execArgv: [], silent: true })
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
