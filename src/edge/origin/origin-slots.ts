/** No connection to the origin became free in time, or too many requests already wait for one. */
export class OriginBusyError extends Error {
  constructor() {
    super('too many requests to the origin are in progress')
    this.name = 'OriginBusyError'
  }
}

/** The right to use one connection to an origin. */
export interface Slot {
  /** Later calls have no effect. */
  release(): void
}

interface OriginQueue {
  inUse: number
  /** In the order of arrival. */
  readonly waiting: Set<(slot: Slot) => void>
}

export interface SlotLimits {
  /** Slots per origin. */
  readonly originConnectionsMax: number
  /** Requests that wait for a slot, per origin. */
  readonly originWaitingMax: number
  readonly originWaitMs: number
}

/** Bounds the requests in progress at each origin. Further requests wait in order. */
export class OriginSlots {
  readonly #limits: SlotLimits
  readonly #queues = new Map<string, OriginQueue>()

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  /** @param origin `http://host:port` @returns undefined when no slot is free */
  take(origin: string): Slot | undefined {
    let queue = this.#queues.get(origin)
    if (queue === undefined) {
      queue = { inUse: 0, waiting: new Set() }
      this.#queues.set(origin, queue)
    }
    return queue.inUse < this.#limits.originConnectionsMax ? this.#give(origin, queue) : undefined
  }

  /** Whether a slot of this origin is free. */
  readonly hasFreeSlot = (origin: string): boolean => {
    const queue = this.#queues.get(origin)
    return queue === undefined || queue.inUse < this.#limits.originConnectionsMax
  }

  /** Requests that wait for a slot, of all origins. */
  /** Requests that wait for a connection, to all origins. */
  get waiting(): number {
    let waiting = 0
    for (const queue of this.#queues.values()) waiting += queue.waiting.size
    return waiting
  }

  /** Requests in progress at this origin. */
  readonly inUse = (origin: string): number => this.#queues.get(origin)?.inUse ?? 0

  /**
   * @param onGone receives a function that cancels the wait
   * @returns undefined when the wait was cancelled
   * @throws OriginBusyError
   */
  wait(origin: string, onGone: (giveUp: () => void) => void): Promise<Slot | undefined> {
    const slot = this.take(origin)
    if (slot !== undefined) return Promise.resolve(slot)
    const { waiting } = this.#queues.get(origin)!
    if (waiting.size >= this.#limits.originWaitingMax) return Promise.reject(new OriginBusyError())
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        waiting.delete(got)
      }
      const got = (free: Slot) => {
        leave()
        resolve(free)
      }
      const timer = setTimeout(() => {
        leave()
        reject(new OriginBusyError())
      }, this.#limits.originWaitMs)
      waiting.add(got)
      onGone(() => {
        leave()
        resolve(undefined)
      })
    })
  }

  #give(origin: string, queue: OriginQueue): Slot {
    queue.inUse++
    return new TakenSlot(origin, queue, this.#giveOn)
  }

  readonly #giveOn = (origin: string, queue: OriginQueue): void => {
    queue.inUse--
    const next = queue.waiting.size === 0 ? undefined : queue.waiting.values().next().value
    if (next !== undefined) next(this.#give(origin, queue))
    else if (queue.inUse === 0) this.#queues.delete(origin)
  }
}

class TakenSlot implements Slot {
  readonly #origin: string
  readonly #queue: OriginQueue
  readonly #giveOn: (origin: string, queue: OriginQueue) => void
  #released = false

  constructor(origin: string, queue: OriginQueue, giveOn: (origin: string, queue: OriginQueue) => void) {
    this.#origin = origin
    this.#queue = queue
    this.#giveOn = giveOn
  }

  release(): void {
    if (this.#released) return
    this.#released = true
    this.#giveOn(this.#origin, this.#queue)
  }
}
