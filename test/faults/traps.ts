import { StoreError } from '../../src/store/index.ts'

/** A call that dies or fails. */
export interface Trap {
  /** `delivery.openBatch`, `reader.read`, … */
  readonly call: string
  /** After: the call has done its work, and does not return. */
  readonly when: 'before' | 'after'
  /** The number of the call from now on, from 1. */
  readonly nth: number
  /** For failures: so many calls from there on. */
  readonly times: number
  readonly act: 'die' | 'fail'
}

/** Calls of the store and of the log that a delivery makes, and what may happen to them. */
export class Traps {
  readonly #set: { readonly trap: Trap; seen: number }[] = []
  readonly #onFailed: () => void

  /** @param onFailed a call failed */
  constructor(onFailed: () => void) {
    this.#onFailed = onFailed
  }

  add(trap: Trap): void {
    this.#set.push({ trap, seen: 0 })
  }

  clear(): void {
    this.#set.length = 0
  }

  /** @param path of the object itself, before the names of its functions */
  around<T extends object>(object: T, path: string): T {
    return new Proxy(object, {
      get: (target, name) => {
        const value = Reflect.get(target, name, target)
        if (typeof name !== 'string') return value
        const method = path === '' ? name : `${path}.${name}`
        if (typeof value === 'function') return this.#call(method, value.bind(target))
        return typeof value === 'object' && value !== null ? this.around(value, method) : value
      },
    })
  }

  #call(method: string, call: (...args: unknown[]) => unknown): unknown {
    return (...args: unknown[]) => {
      const sprung = this.#sprungBy(method)
      return sprung.length === 0 ? call(...args) : this.#trapped(sprung, () => call(...args))
    }
  }

  #sprungBy(method: string): Trap[] {
    const sprung: Trap[] = []
    for (const entry of this.#set) {
      const { call, nth, times } = entry.trap
      if (call !== method) continue
      entry.seen++
      if (entry.seen >= nth && entry.seen < nth + times) sprung.push(entry.trap)
    }
    return sprung
  }

  async #trapped(sprung: readonly Trap[], call: () => unknown): Promise<unknown> {
    for (const trap of sprung) if (trap.when === 'before') this.#spring(trap)
    const result = await call()
    for (const trap of sprung) if (trap.when === 'after') this.#spring(trap)
    return result
  }

  #spring({ act, call, when }: Trap): void {
    if (act === 'die') process.kill(process.pid, 'SIGKILL')
    this.#onFailed()
    throw new StoreError('unavailable', `it was to fail ${when} ${call}`)
  }
}
