import type { LogPart, RecordReader } from '../../bus/port.ts'
import { partName } from '../../model/log-name.ts'
import type { LogpushJob, Scope } from '../../model/resource.ts'
import type { Store } from '../../store/port.ts'
import { auditSource } from '../stream/audit-source.ts'
import type { RecordSource } from '../stream/source.ts'
import { Stream, type StreamDeps } from '../stream/stream.ts'
import { auditLog } from './leases.ts'

/** A log that jobs read, or a part of one that is delivered separately. */
export interface Log {
  /** As leases name it. */
  readonly name: string
  /** All parts of the log: batches of earlier versions, and replays, have records of several. */
  readonly source: RecordSource
  /** Follows this part. */
  readonly stream: Stream
  /** Whether the process that delivers a job here also does what a job has once: its replays and manifests. */
  leads(job: Pick<LogpushJob, 'id' | 'scope'>): boolean
  /** Whether new records of a job come here. */
  has(scope: Scope): boolean
}

/** The parts of the record log. */
export function recordLogs(reader: RecordReader, deps: Omit<StreamDeps, 'source'>): readonly Log[] {
  return reader.parts.map(part => ({
    name: part.name,
    source: reader,
    stream: new Stream({
      ...deps,
      source: {
        partitions: () => part.partitions(),
        head: partition => reader.head(partition),
        at: (partition, ms) => reader.at(partition, ms),
        read: (partition, after, limits) => reader.read(partition, after, limits),
      },
    }),
    leads: job => leadingPart(reader.parts, job) === part,
    has: scope => isBusy(part, scope),
  }))
}

/** The part that has the job's records. The jobs of accounts have records in all parts, and are spread over them. */
function leadingPart(parts: readonly LogPart[], { id, scope }: Pick<LogpushJob, 'id' | 'scope'>): LogPart {
  const busy = parts.filter(part => isBusy(part, scope))
  return busy[id % busy.length] ?? parts[0]!
}

function isBusy(part: LogPart, { kind, id }: Scope): boolean {
  return part.has(kind === 'zone' ? id : undefined)
}

export function auditTrail(store: Store, deps: Omit<StreamDeps, 'source'>): Log {
  const source = auditSource(store)
  return {
    name: auditLog,
    source,
    stream: new Stream({ ...deps, source }),
    leads: () => true,
    has: () => true,
  }
}

/**
 * The log of a process that delivers, by which it shares work with others of the same log. Earlier versions named a log
 * that has parts like one without: they took leases of all of it.
 */
export function sharedLogOf({ log, parts }: RecordReader): string {
  return parts.length === 1 ? log : partName(log, '*')
}
