import { relative } from 'node:path'
import { before, describe } from 'node:test'
import { patienceMs } from './deadline.ts'
import { load, unfollow } from './follow.ts'

/**
 * Runs the test files of a job in one process, one after the other, because loading their modules costs more than testing.
 * Each is a suite, so that its hooks are for its tests alone. The timeout of `npm test` is for a test and not for a suite.
 */
for (const file of process.argv.slice(2))
  describe(relative(process.cwd(), file), { timeout: patienceMs }, async () => {
    before(unfollow)
    await load(file)
  })
