import asyncHooks, { type AsyncHook, AsyncLocalStorage } from 'node:async_hooks'
import { relative } from 'node:path'

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

const fileOf = new AsyncLocalStorage<string>()

/** Loads a test file. An error that nothing catches is told with its name, even after its tests have ended. */
export function load(file: string): Promise<unknown> {
  return fileOf.run(relative(process.cwd(), file), () => import(file))
}

/** To be called when all tests are declared, so `describe` gets no async function. An error that nothing catches still fails the run, and is shown. */
export function unfollow(): void {
  if (following === undefined) return
  following.disable()
  following = undefined
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, error => console.error(`${event} in ${fileOf.getStore()}:`, error))
}
