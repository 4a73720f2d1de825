import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { productEntry } from '../../../../test/support/product.ts'
import { machineId } from '../../../app/state/machine-id.ts'
import { openLocalRecordLog, type RecordLog } from '../../../bus/index.ts'
import { newCipher } from '../../../kit/cipher.ts'
import { systemClock, timestampOf } from '../../../kit/clock.ts'
import { bareEnvironment } from '../../../kit/testing/bare-environment.ts'
import {
  createJob,
  type Delivery,
  type JobBackends,
  startDelivery,
  startJob,
} from '../../../logpush/index.ts'
import type { LogpushJob } from '../../../model/resource.ts'
import { openSqliteStore, type Store } from '../../../store/index.ts'
import { UsageError } from '../../usage.ts'
import { stateText } from './jobs.ts'
import { progressText, replayJob } from './replay.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-logs-'))
const secretKey = '07'.repeat(32)
const zoneId = '0123456789abcdef0123456789abcdef'
const accountId = 'f'.repeat(32)
let store: Store
let log: RecordLog
let delivery: Delivery
let job: LogpushJob
let account: LogpushJob
let backends: JobBackends

before(async () => {
  const cipher = newCipher(Buffer.from(secretKey, 'hex'))
  store = await openSqliteStore(join(folder, 'sluice.db'), { migrate: true, cipher })
  const time = '2026-01-02T03:04:05.000006Z'
  await store.accounts.insert({ id: accountId, name: 'a', createdOn: time })
  const times = { createdOn: time, modifiedOn: time }
  const originUrl = 'http://127.0.0.1:9'
  await store.zones.insert({
    id: zoneId,
    accountId,
    name: 'shop.test',
    originUrl,
    paused: false,
    type: 'full' as const,
    ...times,
  })
  const policy = { sync: 'never', bytes: 1024 ** 3, full: 'drop-oldest', ageMs: 3_600_000 } as const
  log = openLocalRecordLog(
    join(folder, 'spool'),
    fault => assert.fail(fault.message),
    policy,
    `spool-${machineId(folder)}`,
  )
  const writer = await log.writer('edge')
  for (let n = 0; n < 20; n++) {
    const fields = { RayID: `r${n}` }
    writer.append(JSON.stringify({ zone: zoneId, account: accountId, dataset: 'http_requests', fields }))
  }
  await writer.flush()
  const reader = await log.reader()
  backends = { store, reader }
  job = await insertJob('zone', zoneId, `file://${join(folder, 'out')}`, true)
  await startJob(backends, job)
  account = await insertJob(
    'account',
    accountId,
    's3://bucket/x?region=eu&access-key-id=a&secret-access-key=hidden',
    false,
  )
  delivery = startDelivery({
    store,
    reader,
    clock: systemClock,
    location: 'test',
    destinations: { reach: 'loopback', directory: tmpdir() },
    batchBytes: 256 * 1024 ** 2,
    onOutcome: () => {},
    onError: message => assert.fail(message),
    pace: { tickMs: 20, settleMs: 0, orderMs: 0 },
  })
})
after(async () => {
  await delivery.stop()
  await log.close()
  await store.close()
  rmSync(folder, { recursive: true })
})

async function insertJob(
  kind: 'account' | 'zone',
  id: string,
  destination: string,
  enabled: boolean,
): Promise<LogpushJob> {
  const made = createJob({ destination_conf: destination, enabled }, { kind, id }, Date.now())
  assert.ok(made.ok, JSON.stringify(made))
  return store.jobs.insert(made.value.job)
}

async function run(...words: readonly string[]) {
  const child = spawn(process.execPath, [productEntry, 'logs', ...words, '--data', folder], {
    env: { ...bareEnvironment, SLUICE_SECRET_KEY: secretKey },
  })
  const text = { stdout: '', stderr: '' }
  child.stdout.on('data', data => {
    text.stdout += String(data)
  })
  child.stderr.on('data', data => {
    text.stderr += String(data)
  })
  // A running Sluice learns of replays from the change feed; this process runs the delivery without a feed.
  const refresh = setInterval(() => delivery.refresh(), 50)
  const status = await new Promise(resolve => child.on('close', resolve))
  clearInterval(refresh)
  return { status, ...text }
}

const minute = (offset: number) => timestampOf(Date.now() + offset * 60_000)

test('jobs, with their delay and without secrets', async () => {
  const { status, stdout, stderr } = await run('jobs')
  assert.equal(status, 0, stderr)
  const lines = stdout.trimEnd().split('\n')
  assert.equal(lines.length, 2)
  assert.match(
    lines[0]!,
    new RegExp(`^${account.id}  account ${accountId}  http_requests  s3://bucket/x.*disabled$`),
  )
  assert.match(
    lines[1]!,
    new RegExp(`^${job.id}  zone shop\\.test  http_requests  file://.*  running, up to date$`),
  )
  assert.ok(!stdout.includes('hidden'))
})

test('a replay is requested, done and waited for', async () => {
  const end = timestampOf(Date.now())
  const words = [
    '--zone',
    'Shop.test',
    '--job',
    String(job.id),
    '--start',
    minute(-30),
    '--end',
    end,
    '--wait',
  ]
  const { status, stdout, stderr } = await run('replay', ...words)
  assert.equal(status, 0, stderr)
  assert.match(stdout, /^replay 1 of job \d+: from \S+ to \S+\n/)
  assert.match(stdout, /records received before \S+ are no longer retained\n/)
  assert.match(stdout, /\ncompleted: 20 lines in 1 object\n$/)
  const told = await store.audit.list(accountId, { offset: 0, limit: 10 })
  assert.deepEqual(
    told.map(({ path, action, resource }) => [path, action, resource]),
    [['sluice logs replay', 'create', { kind: 'logpush_replay', id: `${job.id}/1` }]],
  )
  assert.equal(
    (await readdir(join(folder, 'out'), { recursive: true })).filter(name => name.endsWith('.gz')).length,
    1,
  )
})

test('a replay that is not possible is refused with the reason', async t => {
  const good = { zone: 'shop.test', job: String(job.id), start: minute(-30), end: minute(-1) }
  const rows: [name: string, flags: Record<string, string | undefined>, isUsage: boolean, message: RegExp][] =
    [
      ['no scope', { zone: undefined }, true, /--zone NAME or --account ID/],
      ['two scopes', { account: accountId }, true, /--zone NAME or --account ID/],
      ['unknown zone', { zone: 'x.test' }, false, /no zone x\.test/],
      ['unknown account', { zone: undefined, account: 'x' }, false, /no account x/],
      ['no job', { job: undefined }, true, /--job N/],
      ['unknown job', { job: '99' }, false, /the zone has no job 99/],
      [
        'job of another scope',
        { zone: undefined, account: accountId, job: '1' },
        false,
        /the account has no job 1/,
      ],
      ['no start', { start: undefined }, true, /needs --start/],
      ['bad start', { start: 'yesterday' }, true, /--start has to be Unix seconds/],
      ['backwards', { start: minute(-1), end: minute(-2) }, true, /--end has to be later/],
      ['future', { end: minute(1) }, true, /in the future/],
      [
        'nothing kept',
        { start: '2020-01-01T00:00:00Z', end: '2020-01-02T00:00:00Z' },
        false,
        /oldest stored record/,
      ],
    ]
  const replay = (flags: Record<string, string | undefined>) =>
    replayJob(backends, new Map(Object.entries(flags).filter((flag): flag is [string, string] => !!flag[1])))
  for (const [name, changes, isUsage, message] of rows)
    await t.test(name, async () => {
      await assert.rejects(replay({ ...good, ...changes }), error => {
        assert.match((error as Error).message, message)
        return error instanceof UsageError === isUsage
      })
    })
  await assert.rejects(
    replay({ ...good, zone: undefined, account: accountId, job: String(account.id) }),
    /is not enabled/,
  )
  assert.equal((await run('replays')).status, 2)
})

test('states and progress in words', () => {
  const nowMs = Date.parse('2026-01-02T03:00:00Z')
  const state = (
    name: 'running' | 'retrying' | 'paused' | 'disabled',
    behindMs: number | null,
    error: string | null,
  ) =>
    stateText(
      { errorMessage: error },
      { state: name, oldestUndelivered: behindMs === null ? null : timestampOf(nowMs - behindMs) },
      nowMs,
    )
  assert.equal(state('disabled', null, 'x'), 'disabled')
  assert.equal(state('running', null, null), 'running, up to date')
  assert.equal(state('running', 1999, null), 'running, 1 second behind')
  assert.equal(state('running', 119_999, null), 'running, 119 seconds behind')
  assert.equal(state('retrying', 120_000, 'no answer'), 'retrying, 2 minutes behind: no answer')
  assert.equal(state('paused', 7_200_000, 'denied'), 'paused, 2 hours behind: denied')
  assert.equal(state('paused', 172_800_000, 'denied'), 'paused, 2 days behind: denied')

  const replay = {
    id: 1,
    jobId: 1,
    start: '',
    end: '',
    retainedSince: null,
    createdOn: '',
    completedOn: null,
  }
  const running = { ...replay, status: 'running', lines: 1, objects: 0, errorMessage: 'no answer' } as const
  assert.equal(progressText(running), 'running: 1 line in 0 objects; the latest attempt failed: no answer')
  assert.equal(
    progressText({ ...running, status: 'failed', lines: 2, objects: 1 }),
    'failed: 2 lines in 1 object; no answer',
  )
})
