import { tmpdir } from 'node:os'
import { after, before } from 'node:test'
import { answersOf } from '../../answers.ts'
import type { RecordStore } from '../../records/port.ts'
import { batchOf } from '../../records/testing/suite.ts'
import { eventRecord } from '../../testing/fill.ts'
import { testCounts } from './counts.ts'
import { testEvents } from './events.ts'
import { testOverview } from './overview.ts'
import { events, noonMs, requests, zoneLarge } from './records.ts'
import { testWhatIf } from './what-if.ts'

/**
 * Every query of the API, with the same answers from every engine.
 * @param open an empty store
 */
export function querySuite(open: () => Promise<RecordStore>): void {
  let store: RecordStore
  const answers = () => answersOf(store, tmpdir())
  before(async () => {
    store = await open()
    const large = Array.from({ length: 30 }, (_, n) =>
      eventRecord(noonMs - 1, { MatchIndex: n }, { zone: zoneLarge }),
    )
    const records = events.map(({ timeMs, ...fields }) => eventRecord(timeMs, fields))
    await store.append(batchOf([...records, ...requests, ...large]))
  })
  after(() => store.close())

  testEvents(answers)
  testCounts(answers)
  testOverview(answers)
  testWhatIf(() => store, answers)
}
