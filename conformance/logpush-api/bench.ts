import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestApi, type TestApi } from '../../src/api/testing/test-api.ts'
import { openLocalRecordLog } from '../../src/bus/index.ts'
import { type Delivery, pullLogs, startDelivery, startJob } from '../../src/logpush/index.ts'
import { type S3Server, s3Credentials, startS3 } from '../../test/support/s3-server.ts'

/** The API over a real record log, with delivery, and an S3 server beside it. */
export interface Bench {
  readonly api: TestApi
  readonly s3: S3Server
  /** When it was opened, ms since the epoch. */
  readonly receivedMs: number
  /** The clock of the API. */
  nowMs(): number
  /** Advances the API's clock by this: per-minute counts restart. */
  advance(ms: number): void
  /** Records of the zone, of dataset http_requests by default. */
  write(records: readonly object[], dataset?: string): Promise<void>
  /** Delivers for the current jobs. */
  deliver(): void
  close(): Promise<void>
}

export async function openBench(): Promise<Bench> {
  // Destinations without keys use the standard AWS chain.
  process.env['AWS_ACCESS_KEY_ID'] = s3Credentials.accessKeyId
  process.env['AWS_SECRET_ACCESS_KEY'] = s3Credentials.secretAccessKey
  let aheadMs = 600_000
  const clock = { nowMs: () => Date.now() + aheadMs }
  const s3 = await startS3(['logs'])
  const directory = await mkdtemp(join(tmpdir(), 'sluice-conformance-'))
  const log = openLocalRecordLog(join(directory, 'spool'), fault => assert.fail(fault.message))
  const reader = await log.reader()
  const api: TestApi = await openTestApi({
    clock,
    readLogs: (pull, signal) => pullLogs(reader, pull, signal),
    startJob: (job, fromMs) => startJob({ store: api.store, reader }, job, fromMs),
  })
  const writer = await log.writer('edge-1')
  let delivery: Delivery | undefined
  return {
    api,
    s3,
    receivedMs: Date.now(),
    nowMs: clock.nowMs,
    advance(ms) {
      aheadMs += ms
    },
    async write(records, dataset = 'http_requests') {
      for (const fields of records) {
        const stored = { zone: api.zoneId, account: api.accountId, dataset, fields }
        writer.append(JSON.stringify(stored))
      }
      await writer.flush()
    },
    deliver() {
      delivery = startDelivery({
        store: api.store,
        reader,
        clock,
        location: 'bench',
        destinations: { reach: 'loopback', directory: tmpdir() },
        batchBytes: 256 * 1024 ** 2,
        onOutcome: () => {},
        onError: (message, error) => assert.fail(`${message}: ${error}`),
        pace: { tickMs: 20, settleMs: 300, orderMs: 20 },
      })
    },
    async close() {
      await delivery?.stop()
      await log.close()
      await api.close()
      await s3.close()
      await rm(directory, { recursive: true })
    },
  }
}
