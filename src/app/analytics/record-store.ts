import { readFile } from 'node:fs/promises'
import {
  type ClickHouseServer,
  openClickHouseStore,
  openDuckDBStore,
  type RecordStore,
  RecordStoreError,
} from '../../analytics/index.ts'
import type { Settings } from '../../model/settings/index.ts'

/**
 * The only code that chooses between DuckDB and ClickHouse. Files are read each time, so that a new password counts.
 * @param path of DuckDB's file
 * @param reads whether this process reads the record log now: then it also replaces tables of an older version on a server
 * @throws RecordStoreError
 */
export async function openRecordStore(
  settings: Settings,
  path: string,
  reads: () => boolean,
): Promise<RecordStore> {
  const server = await clickHouseServer(settings)
  if (server === undefined) return openDuckDBStore(path)
  return openClickHouseStore(server, settings.analyticsAge, reads)
}

/** The ClickHouse server of the settings; undefined without one. */
export async function clickHouseServer(settings: Settings): Promise<ClickHouseServer | undefined> {
  const { clickhouseUrl: url, clickhousePasswordFile, clickhouseCa } = settings
  if (url === undefined) return undefined
  const [password, ca] = await Promise.all([
    contentOf(clickhousePasswordFile, 'SLUICE_CLICKHOUSE_PASSWORD_FILE'),
    contentOf(clickhouseCa, 'SLUICE_CLICKHOUSE_CA'),
  ])
  return {
    url,
    // Editors end a file with a line break.
    ...(password && { password: password.toString('utf8').replace(/\r?\n$/, '') }),
    ...(ca && { ca }),
  }
}

async function contentOf(path: string | undefined, variable: string): Promise<Buffer | undefined> {
  try {
    return path === undefined ? undefined : await readFile(path)
  } catch (cause) {
    throw new RecordStoreError('failed', `${variable} cannot be read: ${(cause as Error).message}`, { cause })
  }
}
