import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Tries until what it asserts holds, since pages, edges and logs follow a moment after what causes it. Fails as its last
 * try did.
 */
export async function eventually<T>(check: () => Promise<T> | T, patienceMs = 30_000): Promise<T> {
  const endMs = Date.now() + patienceMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > endMs) throw error
    }
    await sleep(50)
  }
}
