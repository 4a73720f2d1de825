import { previewPage } from './preview/page.ts'
import { timeSeries, topValues } from './questions/counts.ts'
import { findEvents, findRay } from './questions/events.ts'
import { accountOverview, ruleHits, zoneOverview } from './questions/overview.ts'
import { whatIfCell, whatIfMatrix } from './questions/what-if.ts'
import type { RecordStore } from './records/port.ts'
import { searchRecords } from './search/search.ts'
import type { Answers } from './types.ts'

/** Answers from the rows of a store, whichever engine it is. Every range is counted exactly. */
export function answersOf(store: RecordStore): Answers {
  return {
    events: (zoneId, question) => findEvents(store, zoneId, question),
    eventsOfRay: (zoneId, rayId) => findRay(store, zoneId, rayId),
    timeseries: (zoneId, question) => timeSeries(store, zoneId, question),
    top: (zoneId, question) => topValues(store, zoneId, question),
    ruleHits: (zoneId, range) => ruleHits(store, zoneId, range),
    zoneOverview: (zoneId, range) => zoneOverview(store, zoneId, range),
    accountOverview: (accountId, nowMs) => accountOverview(store, accountId, nowMs),
    whatIf: (zoneId, question) => whatIfMatrix(store, zoneId, question),
    whatIfCell: (zoneId, question) => whatIfCell(store, zoneId, question),
    search: (zoneId, question) => searchRecords(store, zoneId, question),
    previewPage: (zoneId, question) => previewPage(store, zoneId, question),
  }
}
