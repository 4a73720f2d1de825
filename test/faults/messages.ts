import type { LogPolicy } from '../../src/bus/policy.ts'
import type { RecordShape } from './records.ts'
import type { Trap } from './traps.ts'

/** Where and how the processes of one seed keep records. */
export interface LogOptions {
  readonly directory: string
  /** Instead of files. */
  readonly natsUrl: string | undefined
  /** On NATS; two when absent. */
  readonly partitions?: number
  /** Its clock is this much ahead of the system's. */
  readonly aheadMs: number
  readonly policy: LogPolicy
}

export interface DeliveryTask {
  readonly log: LogOptions
  /** File of SQLite, or URL of PostgreSQL. */
  readonly database: string
  /** Objects of more bytes go to the bucket in parts. */
  readonly partsFromBytes: number | undefined
  /** A longer upload is aborted. */
  readonly uploadMs: number
  /** The faults are over. */
  readonly calm: boolean
  /** Of several that deliver at once; a restart of one has the same. */
  readonly location?: string
  readonly leaseMs?: number
  /** Between two looks of each part for records, ms; as short as it gets when absent. */
  readonly tickMs?: number
}

export type ToDelivery =
  | DeliveryTask
  | { readonly trap: Trap }
  | { readonly clockAheadMs: number }
  | { readonly tell: 'refresh' | 'heal' | 'stop' }

export interface WriterTask {
  readonly log: LogOptions
  readonly shape: RecordShape
  readonly writer: number
  readonly life: number
  readonly partitions: readonly string[]
  /** Records of this life at most. */
  readonly recordsMax: number
  readonly groupMax: number
  readonly pauseMs: number
}

export type ToWriter = WriterTask | { readonly clockAheadMs: number } | { readonly tell: 'finish' }

/** A process's report. */
export interface Report {
  /** Delivery and writer: the task is under way. */
  readonly ready?: true
  /** Writer: all up to this number of a partition are durable. */
  readonly durable?: { readonly partition: number; readonly number: number }
  /** The record log, or what is around the jobs. */
  readonly fault?: { readonly code: string; readonly message: string; readonly dropped: number }
  /** Delivery: a call failed as it was asked to. */
  readonly failed?: true
  /** Delivery: after an attempt. */
  readonly outcome?: { readonly job: string | null; readonly outcome: string; readonly message: string }
}

/** A process could not begin its work: its watcher starts another one. */
export const exitNotStarted = 3
