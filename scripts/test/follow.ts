import asyncHooks, { type AsyncHook } from 'node:async_hooks'

/**
 * Loaded before `node:test`, which follows all promises of its process: to find the suite of a test that is declared, and
 * the test of an error that nothing catches. The latter takes a quarter of the CPU time of tests that mostly wait.
 */
const { createHook } = asyncHooks
let following: AsyncHook | undefined

Object.assign(asyncHooks, {
  createHook(callbacks: Parameters<typeof createHook>[0]): AsyncHook {
    Object.assign(asyncHooks, { createHook })
    following = createHook(callbacks)
    return following
  },
})

/** To be called when all tests are declared, so `describe` gets no async function. An error that nothing catches still fails the file, and is shown. */
export function unfollow(): void {
  if (following === undefined) return
  following.disable()
  following = undefined
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, error => console.error(`${event}:`, error))
}
