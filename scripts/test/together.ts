import { relative } from 'node:path'
import { describe } from 'node:test'

/**
 * Runs several test files in one process, one after the other, because loading their modules costs more than testing.
 * Each is a suite, so that its hooks are for its tests alone.
 */
for (const file of process.argv.slice(2))
  describe(relative(process.cwd(), file), async () => {
    await import(file)
  })
