import { relative } from 'node:path'
import { describe } from 'node:test'

/**
 * Runs several test files in one process, because loading their modules costs more than testing. Each is a suite, so
 * that its hooks are for its tests alone. They load one after the other: a file that waits for a module that another
 * file is loading would define its tests in that file's suite.
 */
let loading: Promise<unknown> = Promise.resolve()

for (const file of process.argv.slice(2))
  describe(relative(process.cwd(), file), async () => {
    const loaded = loading.then(() => import(file))
    loading = loaded.catch(() => {})
    await loaded
  })
