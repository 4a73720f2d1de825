import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { newId } from '../kit/ids.ts'
import { searchLimits } from './limits.ts'
import { previewPage } from './preview/page.ts'
import { timeSeries, topValues } from './questions/counts.ts'
import { findEvents, findRay } from './questions/events.ts'
import { accountOverview, ruleHits, zoneOverview } from './questions/overview.ts'
import { whatIfCell, whatIfMatrix } from './questions/what-if.ts'
import type { RecordStore } from './records/port.ts'
import { exportRecords, searchRecords } from './search/search.ts'
import type { SearchExport } from './search/types.ts'
import { runSql, SqlError } from './sql/run.ts'
import type { SqlQuestion } from './sql/types.ts'
import type { Answers, ExportedSearch, SqlOutcome } from './types.ts'

/**
 * Answers from the rows of a store, whichever engine it is. Every range is counted exactly.
 * @param folder for exported files; only the owner may enter it
 * @param stop ends statements of users that run
 */
export function answersOf(store: RecordStore, folder: string, stop?: AbortSignal): Answers {
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
    exportSearch: (zoneId, question) => exportSearch(store, zoneId, question, folder),
    sql: question => answerSql(store, question, folder, stop),
    previewPage: (zoneId, question) => previewPage(store, zoneId, question),
  }
}

async function exportSearch(
  store: RecordStore,
  zoneId: string,
  question: SearchExport,
  folder: string,
): Promise<ExportedSearch> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `${newId()}.parquet`)
  const rowsMax = searchLimits.exportRowsMax
  const rows = await exportRecords(store, zoneId, question, rowsMax, path).catch(error => {
    rmSync(path, { force: true })
    throw error
  })
  return rows > rowsMax ? { tooMany: rows } : { path }
}

/** Errors lose their codes on the way to the thread of the API. */
async function answerSql(
  store: RecordStore,
  question: SqlQuestion,
  folder: string,
  stop: AbortSignal | undefined,
): Promise<SqlOutcome> {
  try {
    return { ok: true, answer: await runSql(store, question, folder, stop) }
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
    return { ok: false, code: error.code, message: error.message }
  }
}
