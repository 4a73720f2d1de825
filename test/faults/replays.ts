import type { RecordReader } from '../../src/bus/index.ts'
import { ReplayRangeError, requestReplay } from '../../src/logpush/index.ts'
import type { Cursors, Store } from '../../src/store/index.ts'
import type { JobPlan } from './jobs.ts'

/** A range of the log that a job was asked to deliver once more. */
export interface AskedReplay {
  readonly plan: JobPlan
  readonly id: number
  readonly jobId: number
  readonly startMs: number
  readonly endMs: number
  readonly from: Cursors
  readonly until: Cursors
  /** The ends of the log before the replay was requested. */
  readonly heads: Cursors
}

/** @returns undefined when nothing of the range is kept */
export async function askForReplay(
  { store, reader }: { readonly store: Store; readonly reader: RecordReader },
  plan: JobPlan,
  jobId: number,
  [startMs, endMs]: readonly [number, number],
): Promise<AskedReplay | undefined> {
  const job = await store.jobs.get(plan.scope, jobId)
  if (job === undefined) return undefined
  const heads = new Map<string, number>()
  for (const partition of await reader.partitions()) heads.set(partition, await reader.head(partition))
  let asked: AskedReplay | undefined
  const insert: Store['replays']['insert'] = async (replay, from, until, audit) => {
    const made = await store.replays.insert(replay, from, until, audit)
    asked = { plan, id: made.id, jobId, startMs, endMs, from, until, heads }
    return made
  }
  const backends = { reader, store: { ...store, replays: { ...store.replays, insert } } }
  const [start, end] = [startMs, endMs].map(ms => new Date(ms).toISOString()) as [string, string]
  try {
    await requestReplay(backends, job, { start, end, startMs, endMs }, Date.now())
  } catch (error) {
    if (!(error instanceof ReplayRangeError)) throw error
  }
  return asked
}

/** The records that a replay has to deliver: every record of its range in the current log. */
export interface ReplayedRange {
  readonly rays: ReadonlySet<string>
  readonly problems: readonly string[]
}

/** @param inOrder whether the log keeps the order in which records were received */
export async function rangeOf(
  reader: RecordReader,
  { plan, id, from, until, heads, startMs, endMs }: AskedReplay,
  inOrder: boolean,
): Promise<ReplayedRange> {
  const rays = new Set<string>()
  const problems: string[] = []
  for (const [partition, last] of until)
    for (let at = from.get(partition) ?? 0; at < last; ) {
      const records = await reader.read(partition, at, { records: last - at, bytes: 1e7 })
      if (records.length === 0) break
      for (const { sequence, receivedMs, record } of records) {
        at = sequence
        if (sequence > last) break
        const { fields, ...head } = JSON.parse(record) as Parameters<JobPlan['keeps']>[0]
        if (head.dataset === plan.dataset && plan.keeps({ ...head, fields })) rays.add(`${fields['RayID']}`)
        // Records that waited for a full disk and arrived during the request may be older.
        const early = receivedMs < startMs && sequence <= (heads.get(partition) ?? 0)
        if (inOrder && (early || receivedMs >= endMs))
          problems.push(
            `replay ${id} of ${plan.name} reads ${partition} ${sequence}, which is not of its time`,
          )
      }
    }
  return { rays, problems }
}
