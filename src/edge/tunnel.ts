import type { Socket } from 'node:net'

/** Open upgraded connections. */
export class Tunnels {
  readonly #open = new Set<() => void>()

  get size(): number {
    return this.#open.size
  }

  /**
   * Joins a client to its origin; bytes go both ways as they come, each side no faster than the other takes them.
   * @returns when both sides are closed
   */
  join(client: Socket, origin: Socket, idleTimeoutMs: number): Promise<void> {
    return new Promise(resolve => {
      const cut = () => {
        client.destroy()
        origin.destroy()
      }
      const idle = setTimeout(cut, idleTimeoutMs)
      let open = 2
      const onClose = (other: Socket) => {
        // What was already taken from the side that closed still goes out.
        if (!other.destroyed) other.destroySoon()
        if (--open > 0) return
        clearTimeout(idle)
        this.#open.delete(cut)
        resolve()
      }
      this.#open.add(cut)
      for (const [side, other] of [
        [client, origin],
        [origin, client],
      ] as const) {
        side.setNoDelay(true)
        side.on('data', () => idle.refresh())
        side.on('error', () => other.destroy())
        side.once('close', () => onClose(other))
        side.pipe(other)
      }
    })
  }

  closeAll(): void {
    for (const cut of [...this.#open]) cut()
  }
}
