import { writeSync } from 'node:fs'
import type { TestEvent } from 'node:test/reporters'

/** A reporter that names the first test that fails, and ends the run there. */
export default async function* firstFailure(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type !== 'test:fail' || event.data.details.type === 'suite') continue
    writeSync(1, event.data.name)
    process.exit(1)
  }
  yield ''
}
