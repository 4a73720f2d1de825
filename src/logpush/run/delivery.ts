import { newId } from '../../kit/ids.ts'
import { BatchMemory } from '../batch/batch-memory.ts'
import { logpushLimits } from '../limits.ts'
import { Resets } from '../stream/resets.ts'
import type { Delivery, DeliveryDeps } from '../types.ts'
import { Counts } from './counts.ts'
import { Lags, longestLags } from './lags.ts'
import { Leases } from './leases.ts'
import { auditTrail, recordLogs, sharedLogOf } from './log.ts'
import { Losses } from './losses.ts'
import { usualPace } from './pace.ts'
import { RunTable } from './run-table.ts'
import { Upkeep } from './upkeep.ts'

/** How much of `finishMs` reading the last records may take. */
const drainMs = 2_000

/** How often lags are measured, and counts are written. */
const countsMs = 1_000

/** Runs every enabled job, and every replay, until stopped. */
export function startDelivery(given: DeliveryDeps): Delivery {
  const pace = { ...usualPace, ...given.pace }
  const counts = new Counts(given.store, given.clock)
  const lags = new Lags(given.store, given.clock)
  const { store, reader, clock, location, onError } = given
  const leases = new Leases({
    store,
    process: { id: `${location}/${newId()}`, location, log: sharedLogOf(reader) },
    leaseMs: pace.leaseMs,
    onChanged: () => table.refresh(),
    onLost({ jobId }) {
      onError(
        `job ${jobId} is delivered by another process now, because this one did not renew its lease in time; the other process continues its batches`,
      )
      table.refresh()
    },
    onCopy: () =>
      onError(
        'another process delivers from a copy of this data directory: neither delivers any more until one of them is stopped; remove machine-id and spool/ from the copy before it starts again',
      ),
    onEarlier: () =>
      onError(
        'a process of an earlier version delivers; this one begins when it has ended: upgrade or stop the other process',
      ),
  })
  const losses = new Losses(loss => given.onLoss?.(loss))
  const resets = new Resets(store, reader, given.onReset)
  const records = recordLogs(reader, { clock, pace, onError })
  const audit = auditTrail(store, { clock, pace, onError })
  const memory = new BatchMemory(given.batchBytes)
  const table = new RunTable({
    deps: { ...given, pace, counts, losses, memory, onFenced: held => leases.lost(held) },
    leases,
    resets,
    records,
    audit,
  })
  const beatTimer = setInterval(() => {
    leases.beat().then(
      () => {
        if (table.isWaiting) table.refresh()
      },
      error => onError('the leases of the jobs cannot be renewed; retrying', error),
    )
  }, leases.beatMs)
  const upkeep = new Upkeep({
    store,
    reader,
    clock,
    losses,
    resets,
    everyMs: pace.upkeepMs,
    runs: () => table.runs,
    onError,
  })
  const jobLags = () => longestLags(table.runs.map(run => run.lag()))
  // More often, for users who check a job right after they have created it.
  let counting: Promise<void> | undefined
  const countTimer = setInterval(() => {
    lags.see(jobLags())
    counting ??= counts
      .flush()
      .then(() => lags.flush())
      .catch(error => onError('counts of deliveries cannot be written; retrying', error))
      .finally(() => {
        counting = undefined
      })
  }, countsMs)
  table.refresh()

  const streams = [...records, audit].map(({ stream }) => stream)
  const drain = async () => {
    await table.begun()
    await Promise.all(streams.map(stream => stream.drain()))
  }
  const finish = async () => {
    // A destination or a log that does not answer must not keep the other jobs from delivering.
    await endsWithin(drainMs, drain()).catch(error =>
      onError('the last records cannot be read; the next start continues there', error),
    )
    await table.finish()
  }
  return {
    refresh: () => table.refresh(),
    lags: jobLags,
    async stop(finishMs = logpushLimits.finishMs) {
      const refreshed = table.close()
      const kept = upkeep.stop()
      clearInterval(countTimer)
      lags.see(jobLags())
      await refreshed
      if (!(await endsWithin(finishMs, finish()))) {
        table.abandon()
        for (const stream of streams) stream.close()
        onError('a destination does not answer: its upload is cut off, and the next process repeats it')
      }
      await Promise.all([kept, counting])
      // Uploads may take longer than a lease.
      clearInterval(beatTimer)
      await leases.leave().catch(error => onError('the jobs are free for others when the leases end', error))
      await Promise.all([counts.flush(), lags.flush(true)]).catch(error =>
        onError('the counts of the last moments cannot be written', error),
      )
    },
  }
}

async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<false>(resolve => {
    timer = setTimeout(() => resolve(false), ms)
  })
  try {
    return await Promise.race([work.then(() => true), timeout])
  } finally {
    clearTimeout(timer)
  }
}
