import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { newId } from '../kit/ids.ts'
import { searchLimits } from './limits.ts'
import { previewPage } from './preview/page.ts'
import { timeSeries, topValues } from './queries/counts.ts'
import { findEvents, findRay } from './queries/events.ts'
import { accountOverview, ruleHits, zoneOverview } from './queries/overview.ts'
import { whatIfCell, whatIfMatrix } from './queries/what-if.ts'
import type { RecordStore } from './records/port.ts'
import { exportRecords, searchRecords } from './search/search.ts'
import type { SearchExport } from './search/types.ts'
import { runSql, SqlError } from './sql/run.ts'
import type { SqlQuery } from './sql/types.ts'
import type { Answers, ExportedSearch, SqlOutcome } from './types.ts'

/**
 * Answers from the rows of a store, whichever engine it is. Every range is counted exactly.
 * @param folder for exported files; only the owner may enter it
 * @param stop ends statements of users that run
 */
export function answersOf(store: RecordStore, folder: string, stop?: AbortSignal): Answers {
  return {
    events: (zoneId, query) => findEvents(store, zoneId, query),
    eventsOfRay: (zoneId, rayId) => findRay(store, zoneId, rayId),
    timeseries: (zoneId, query) => timeSeries(store, zoneId, query),
    top: (zoneId, query) => topValues(store, zoneId, query),
    ruleHits: (zoneId, range) => ruleHits(store, zoneId, range),
    zoneOverview: (zoneId, range) => zoneOverview(store, zoneId, range),
    accountOverview: (accountId, nowMs) => accountOverview(store, accountId, nowMs),
    whatIf: (zoneId, query) => whatIfMatrix(store, zoneId, query),
    whatIfCell: (zoneId, query) => whatIfCell(store, zoneId, query),
    search: (zoneId, query) => searchRecords(store, zoneId, query),
    exportSearch: (zoneId, query) => exportSearch(store, zoneId, query, folder),
    sql: query => answerSql(store, query, folder, stop),
    previewPage: (zoneId, query) => previewPage(store, zoneId, query),
  }
}

async function exportSearch(
  store: RecordStore,
  zoneId: string,
  query: SearchExport,
  folder: string,
): Promise<ExportedSearch> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `${newId()}.parquet`)
  const rowsMax = searchLimits.exportRowsMax
  const rows = await exportRecords(store, zoneId, query, rowsMax, path).catch(error => {
    rmSync(path, { force: true })
    throw error
  })
  return rows > rowsMax ? { tooMany: rows } : { path }
}

/** Errors lose their codes on the way to the thread of the API. */
async function answerSql(
  store: RecordStore,
  query: SqlQuery,
  folder: string,
  stop: AbortSignal | undefined,
): Promise<SqlOutcome> {
  try {
    return { ok: true, answer: await runSql(store, query, folder, stop) }
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
    return { ok: false, code: error.code, message: error.message }
  }
}
