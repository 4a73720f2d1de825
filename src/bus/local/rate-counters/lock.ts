/**
 * Locks a bucket while `count` reads its entries, for less than a microsecond. A thread that is terminated may leave
 * its lock behind: after `abandonedMs` another thread takes it over.
 */

/** Looks at the lock before a thread sleeps: its holder may have no processor. */
const spins = 200
const sleepMs = 1
const abandonedMs = 200

/** Not zero, and different for each thread. */
export function newTicket(): number {
  return (Math.floor(Math.random() * 0x7fffffff) + 1) | 0
}

export function acquire(locks: Int32Array, at: number, ticket: number): void {
  let holder = Atomics.compareExchange(locks, at, 0, ticket)
  if (holder === 0) return
  for (let tries = 0, sleptMs = 0; ; tries++) {
    if (tries > spins) {
      Atomics.wait(locks, at, holder, sleepMs)
      sleptMs += sleepMs
    }
    const expected = sleptMs >= abandonedMs ? holder : 0
    const found = Atomics.compareExchange(locks, at, expected, ticket)
    if (found === expected) return
    if (found !== holder) sleptMs = 0
    holder = found
  }
}

/** Does nothing when the bucket was taken over. */
export function release(locks: Int32Array, at: number, ticket: number): void {
  Atomics.compareExchange(locks, at, ticket, 0)
}
