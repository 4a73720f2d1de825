import type { RecordStore } from '../records/port.ts'
import type { Analytics } from '../types.ts'
import { timeSeries, topValues } from './counts.ts'
import { findEvents, findRay } from './events.ts'
import { accountOverview, ruleHits, zoneOverview } from './overview.ts'
import { whatIfCell, whatIfMatrix } from './what-if.ts'

/** Answers from the rows of a store, whichever engine it is. Every range is counted exactly. */
export function answersOf(store: RecordStore): Omit<Analytics, 'previewPage' | 'close'> {
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
  }
}
