import { once } from 'node:events'
import { promisify } from 'node:util'
import { createGzip, type Gzip, gunzip } from 'node:zlib'
import { logpushLimits } from '../kit/limits.ts'
import { compileFilter, type LogPredicate } from '../logfilter/index.ts'
import type { LogRecord } from '../model/dataset.ts'
import { datasets } from '../model/datasets/table.ts'
import type { JsonObject, LogpushJob } from '../model/resource.ts'
import { type DeliveryBatch, StoreError } from '../store/port.ts'
import type { LineFormat } from './format.ts'
import { formatOf } from './job.ts'
import { batchId, objectName, objectPath, startOf } from './object-name.ts'
import { BatchText } from './output/batch-text.ts'
import { sampler } from './output/sample.ts'
import { type BatchFrame, SinkError } from './sinks/sink.ts'
import { parseDestination } from './sinks/table.ts'
import type { DeliveryDeps } from './types.ts'

/** How often a job looks for work; the most that a quiet zone's first line waits beyond `settleMs`. */
const tickMs = 250
/** A batch is not cut before its first record is this old, so that lines of one moment share an object. */
const settleMs = 1_000
/** Records read at a time; in between, the event loop turns. */
const readRecords = 500
const readBytes = 1024 * 1024
const backoffMs = { first: 1_000, longest: 60_000 } as const

/** What of a job decides the bytes of a batch; kept with the batch, so that a replay writes the same. */
interface Shape {
  readonly zoneId: string
  readonly dataset: string
  readonly filter: string | null
  readonly logpullOptions: string | null
  readonly outputOptions: JsonObject | null
}

/**
 * Delivers one job: cut a batch → write it down → upload → move the cursor, partition after partition.
 * A batch is due when the job's last object of the partition is `interval` old and its first record `settleMs`;
 * so a busy job writes one object an interval, and a quiet one delivers within two seconds. After a batch that was
 * full the next one does not wait: a job keeps up with any traffic.
 */
export class JobRunner {
  #job: LogpushJob
  readonly #deps: DeliveryDeps
  readonly #lastObjectMs = new Map<string, number>()
  /** What of an open batch its destination has taken, where it takes a batch in parts. */
  readonly #sentParts = new Map<string, { readonly destination: string; readonly ids: Set<string> }>()
  /** Partitions whose last batch ended at a limit: there is probably more. */
  readonly #backlogs = new Set<string>()
  readonly #loop: Promise<void>
  #lastComplete: string | null
  #stopping = false
  #finishing = false
  #wake: () => void = () => {}

  constructor(job: LogpushJob, deps: DeliveryDeps) {
    this.#job = job
    this.#deps = deps
    this.#lastComplete = job.lastComplete
    this.#loop = this.#run()
  }

  /** The job was changed; from the next batch on. */
  update(job: LogpushJob): void {
    this.#job = job
    this.#wake()
  }

  /** Ends after what is under way. */
  stop(): void {
    this.#stopping = true
    this.#wake()
  }

  /** Delivers what there is, due or not, once, and ends. */
  async finish(): Promise<void> {
    this.#finishing = true
    this.#wake()
    await this.#loop
  }

  async #run(): Promise<void> {
    let failures = 0
    for (;;) {
      const last = this.#finishing
      try {
        await this.#pass()
        failures = 0
      } catch (error) {
        failures++
        await this.#reportFailure(error)
      }
      if (this.#stopping || last) return
      if (failures > 0) await this.#sleep(backoff(failures))
      else if (this.#backlogs.size === 0) await this.#sleep(tickMs)
    }
  }

  async #pass(): Promise<void> {
    const { store, reader } = this.#deps
    for (const batch of await store.delivery.openBatches(this.#job.id)) await this.#deliver(batch)
    const cursors = new Map(
      (await store.delivery.cursors(this.#job.id)).map(cursor => [cursor.partition, cursor.sequence]),
    )
    for (const partition of await reader.partitions()) {
      if (this.#stopping) return
      const batch = await this.#cut(partition, cursors.get(partition) ?? 0)
      if (batch !== undefined) await this.#deliver(batch)
    }
  }

  /** Decides the next range of a partition and writes it down; undefined when nothing is due. */
  async #cut(partition: string, after: number): Promise<DeliveryBatch | undefined> {
    const [first] = await this.#deps.reader.read(partition, after, { records: 1, bytes: 1 })
    const due = first !== undefined && this.#isDue(partition, first.receivedMs)
    this.#backlogs.delete(partition)
    if (!due) return undefined
    const job = this.#job
    const recordsMax = job.maxUploadRecords || logpushLimits.batchRecordsMax
    const bytesMax = job.maxUploadBytes || logpushLimits.batchBytesMax
    let last = first
    let records = 0
    let bytes = 0
    while (records < recordsMax && bytes < bytesMax) {
      const limits = {
        records: Math.min(readRecords, recordsMax - records),
        bytes: Math.min(readBytes, bytesMax - bytes),
      }
      const chunk = await this.#deps.reader.read(partition, records === 0 ? after : last.sequence, limits)
      if (chunk.length === 0) break
      records += chunk.length
      for (const { record } of chunk) bytes += record.length
      last = chunk.at(-1)!
    }
    const { zoneId, dataset, filter, logpullOptions, outputOptions } = job
    const range = {
      jobId: job.id,
      partition,
      firstSequence: first.sequence,
      lastSequence: last.sequence,
    }
    const shape: Shape = { zoneId, dataset, filter, logpullOptions, outputOptions }
    const batch: DeliveryBatch = {
      ...range,
      objectName: objectName({ ...range, zoneId, startMs: first.receivedMs, endMs: last.receivedMs }),
      shape: JSON.stringify(shape),
      openedOn: new Date(this.#deps.clock.nowMs()).toISOString(),
    }
    if (!(await this.#open(batch))) return undefined
    if (records >= recordsMax || bytes >= bytesMax) this.#backlogs.add(partition)
    return batch
  }

  /** @returns false when the job was stopped meanwhile, or started anew: then the range is not its own any more */
  async #open(batch: DeliveryBatch): Promise<boolean> {
    try {
      await this.#deps.store.delivery.openBatch(batch)
      return true
    } catch (error) {
      if (error instanceof StoreError && error.code === 'stale') return false
      throw error
    }
  }

  #isDue(partition: string, firstReceivedMs: number): boolean {
    if (this.#finishing) return true
    const nowMs = this.#deps.clock.nowMs()
    const intervalMs = this.#job.maxUploadIntervalSeconds
      ? this.#job.maxUploadIntervalSeconds * 1000
      : logpushLimits.batchIntervalMs
    const lastObjectMs = this.#backlogs.has(partition)
      ? Number.NEGATIVE_INFINITY
      : (this.#lastObjectMs.get(partition) ?? Number.NEGATIVE_INFINITY)
    return nowMs >= lastObjectMs + intervalMs && nowMs >= firstReceivedMs + settleMs
  }

  async #deliver(batch: DeliveryBatch): Promise<void> {
    const { store, clock } = this.#deps
    const { body, frame } = await this.#render(batch)
    const lines = frame.sizes.length
    if (lines > 0) await this.#upload(batch, body, frame)
    await store.delivery.closeBatch(batch)
    this.#sentParts.delete(batch.objectName)
    if (lines === 0) return
    this.#lastObjectMs.set(batch.partition, clock.nowMs())
    this.#lastComplete = new Date(clock.nowMs()).toISOString()
    const health = { lastComplete: this.#lastComplete, lastError: null, errorMessage: null }
    await store.jobs.report(this.#job.id, health)
    this.#deps.onOutcome(this.#job, {
      ok: true,
      records: lines,
      bytes: body.length,
      message: batch.objectName,
    })
  }

  /** Filter → sample → project → encode → compress the range of a batch. The same range and shape give the same bytes. */
  async #render(batch: DeliveryBatch): Promise<{ body: Buffer; frame: BatchFrame }> {
    const shape = JSON.parse(batch.shape) as Shape
    const zone = shape.zoneId
    const { keep, format } = compileShape(shape)
    const isSampled = sampler(format.sampleRate, batch.partition)
    const output = new BatchText(format)
    const gzip = createGzip()
    const compressed = collect(gzip)
    let after = batch.firstSequence - 1
    while (after < batch.lastSequence) {
      const limits = { records: Math.min(readRecords, batch.lastSequence - after), bytes: readBytes }
      const chunk = await this.#deps.reader.read(batch.partition, after, limits)
      if (chunk.length === 0)
        throw new SinkError(
          'records-missing',
          'later',
          `records ${after + 1} to ${batch.lastSequence} of ${batch.partition} cannot be read`,
        )
      let text = ''
      for (const { sequence, record } of chunk) {
        after = sequence
        // Where records of the range are lost, the reader goes on behind it: those are the next batch's.
        if (sequence > batch.lastSequence) break
        const stored = JSON.parse(record) as { zone: string; dataset: string; fields: LogRecord }
        if (stored.zone !== zone || stored.dataset !== shape.dataset) continue
        if (keep(stored.fields) && isSampled(sequence)) text += output.add(stored.fields)
      }
      if (text !== '' && !gzip.write(text)) await once(gzip, 'drain')
    }
    gzip.end(output.end())
    return { body: await compressed, frame: { ...output.framing, sizes: output.sizes } }
  }

  async #upload(batch: DeliveryBatch, body: Buffer, frame: BatchFrame): Promise<void> {
    const target = parseDestination(this.#job.destinationConf)
    if (!target.ok) throw new SinkError('invalid-destination', 'never', target.problem.message)
    const { objectName: name } = batch
    const sink = await target.value.open(this.#deps.destinations)
    try {
      await sink.put(
        {
          path: objectPath(target.value.folder, name, startOf(name)),
          id: batchId({ ...batch, zoneId: this.#job.zoneId }),
          startMs: startOf(name),
          records: frame.sizes.length,
          gzip: body,
          frame,
          text: () => gunzipped(body),
          sent: this.#sentPartsOf(name),
        },
        AbortSignal.timeout(logpushLimits.uploadMs),
      )
    } finally {
      sink.close()
    }
  }

  /** Another destination has taken nothing yet. */
  #sentPartsOf(name: string): Set<string> {
    const destination = this.#job.destinationConf
    const known = this.#sentParts.get(name)
    if (known?.destination === destination) return known.ids
    const ids = new Set<string>()
    this.#sentParts.set(name, { destination, ids })
    return ids
  }

  async #reportFailure(error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error)
    this.#deps.onOutcome(this.#job, { ok: false, records: 0, bytes: 0, message })
    const health = {
      lastComplete: this.#lastComplete,
      lastError: new Date(this.#deps.clock.nowMs()).toISOString(),
      errorMessage: message,
    }
    try {
      await this.#deps.store.jobs.report(this.#job.id, health)
    } catch (cause) {
      this.#deps.onError('the health of a job cannot be written', cause)
    }
  }

  async #sleep(ms: number): Promise<void> {
    if (this.#stopping || this.#finishing) return
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = () => {}
  }
}

function compileShape(shape: Shape): { keep: LogPredicate; format: LineFormat } {
  const format = formatOf(shape)
  const dataset = datasets.get(shape.dataset)
  if (!format.ok || dataset === undefined)
    throw new SinkError(
      'invalid-format',
      'never',
      format.ok ? `no dataset ${shape.dataset}` : format.problem.message,
    )
  if (shape.filter === null || shape.filter === '') return { keep: () => true, format: format.value }
  const filter = compileFilter(shape.filter, dataset)
  if (!filter.ok) throw new SinkError('invalid-filter', 'never', filter.problem.message)
  return { keep: filter.test, format: format.value }
}

const gunzipped = promisify<Uint8Array, Buffer>(gunzip)

async function collect(stream: Gzip): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Doubles from one second to a minute, with a fifth of jitter so that jobs do not retry in step. */
function backoff(failures: number): number {
  const ms = Math.min(backoffMs.longest, backoffMs.first * 2 ** Math.min(failures - 1, 10))
  return ms * (0.9 + Math.random() * 0.2)
}
