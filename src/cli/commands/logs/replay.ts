import { setTimeout as sleep } from 'node:timers/promises'
import { type AuditedChange, replayToWire } from '../../../api/index.ts'
import type { SystemAudit } from '../../../app/index.ts'
import { timestampOf } from '../../../kit/clock.ts'
import {
  type JobBackends,
  momentForms,
  momentOf,
  type ReplayRequest,
  recordsElsewhere,
  requestReplay,
} from '../../../logpush/index.ts'
import type { LogpushJob, Replay, Scope } from '../../../model/resource.ts'
import { type Store, StoreError } from '../../../store/index.ts'
import { UsageError } from '../../usage.ts'

/** Interval at which `--wait` polls. */
const pollMs = 500

type Flags = ReadonlyMap<string, string>

/** Requests a replay, and with `--wait` shows its progress. */
export async function replayJob(backends: JobBackends, flags: Flags, audit?: SystemAudit): Promise<void> {
  const { store } = backends
  const nowMs = Date.now()
  const request = requestOf(flags, nowMs)
  const job = await jobOf(store, flags)
  if (!job.enabled)
    throw new Error(`job ${job.id} is not enabled; only enabled jobs can deliver records once more`)
  const entryOf = audit && ((replay: Replay) => audit.entry(changeOf(job, replay)))
  const replay = await requestReplay(backends, job, request, nowMs, entryOf).catch((error: unknown) => {
    if (!(error instanceof StoreError && error.code === 'full')) throw error
    throw new Error(`${error.message}; wait for one to end`, { cause: error })
  })
  console.log(`replay ${replay.id} of job ${job.id}: from ${replay.start} to ${replay.end}`)
  if (replay.retainedSince !== null)
    console.log(`records received before ${replay.retainedSince} are no longer retained`)
  const elsewhere = await recordsElsewhere(store, backends.reader, job)
  if (elsewhere !== undefined) console.log(elsewhere)
  if (flags.has('wait')) await waitFor(store, replay)
}

function changeOf({ id, scope }: LogpushJob, replay: Replay): AuditedChange {
  const resource = { kind: 'logpush_replay', id: `${id}/${replay.id}` }
  const owner = scope.kind === 'zone' ? { zoneId: scope.id } : { accountId: scope.id }
  return { action: 'create', resource, before: null, after: replayToWire(replay), ...owner }
}

function requestOf(flags: Flags, nowMs: number): ReplayRequest {
  const [start, startMs] = momentIn(flags, 'start')
  const [end, endMs] = momentIn(flags, 'end')
  if (endMs <= startMs) throw new UsageError('--end has to be later than --start')
  if (endMs > nowMs) throw new UsageError('--end is in the future')
  return { start, end, startMs, endMs }
}

/** As text for display, and as ms. */
function momentIn(flags: Flags, name: string): readonly [text: string, ms: number] {
  const text = flags.get(name)
  if (text === undefined) throw new UsageError(`logs replay needs --${name}: ${momentForms}`)
  const ms = momentOf(text)
  if (ms === undefined) throw new UsageError(`--${name} has to be ${momentForms}`)
  return [/^\d+$/.test(text) ? timestampOf(ms) : text, ms]
}

async function jobOf(store: Store, flags: Flags): Promise<LogpushJob> {
  const id = flags.get('job') ?? ''
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new UsageError('logs replay needs --job N, the id of a job')
  const scope = await scopeOf(store, flags)
  const job = await store.jobs.get(scope, Number(id))
  if (job === undefined) throw new Error(`the ${scope.kind} has no job ${id}; see \`npx sluice logs jobs\``)
  return job
}

async function scopeOf(store: Store, flags: Flags): Promise<Scope> {
  const zoneName = flags.get('zone')
  const accountId = flags.get('account')
  if ((zoneName === undefined) === (accountId === undefined))
    throw new UsageError('logs replay needs --zone NAME or --account ID')
  if (accountId !== undefined) {
    if ((await store.accounts.get(accountId)) === undefined)
      throw new Error(`there is no account ${accountId}`)
    return { kind: 'account', id: accountId }
  }
  const zone = await store.zones.byName(zoneName!.toLowerCase())
  if (zone === undefined) throw new Error(`there is no zone ${zoneName}`)
  return { kind: 'zone', id: zone.id }
}

/** Prints each change of the progress. @throws Error if the replay was not completed */
async function waitFor(store: Store, { jobId, id }: Replay): Promise<void> {
  let shown = ''
  console.log('waiting for a running Sluice to deliver it')
  for (;;) {
    const replay = await store.replays.get(jobId, id)
    if (replay === undefined) throw new Error('the job and its replay were deleted')
    const text = progressText(replay)
    if (text !== shown) console.log(text)
    shown = text
    if (replay.status === 'completed') return
    if (replay.status !== 'running') throw new Error(`replay ${id} of job ${jobId} was not completed`)
    await sleep(pollMs)
  }
}

/** `running: 1200 lines in 2 objects; the latest attempt failed: …` */
export function progressText({ status, lines, objects, errorMessage }: Replay): string {
  const amounts = `${count(lines, 'line')} in ${count(objects, 'object')}`
  if (errorMessage === null) return `${status}: ${amounts}`
  return `${status}: ${amounts}; ${status === 'running' ? 'the latest attempt failed: ' : ''}${errorMessage}`
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
