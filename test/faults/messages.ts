import type { SpoolSync } from '../../src/model/settings.ts'
import type { RecordShape } from './records.ts'
import type { Trap } from './traps.ts'

/** Where and how the processes of one seed keep records. */
export interface LogPlace {
  readonly directory: string
  /** Instead of files. */
  readonly natsUrl: string | undefined
  /** Its clock is this much ahead of the system's. */
  readonly aheadMs: number
  readonly policy: { readonly sync: SpoolSync; readonly bytes: number; readonly ageMs: number }
}

export interface DeliveryTask {
  readonly log: LogPlace
  /** File of SQLite, or URL of PostgreSQL. */
  readonly database: string
  /** Objects of more bytes go to the bucket in parts. */
  readonly partsFromBytes: number | undefined
  /** An upload that takes longer is given up. */
  readonly uploadMs: number
  /** The faults are over. */
  readonly calm: boolean
}

export type ToDelivery =
  | DeliveryTask
  | { readonly trap: Trap }
  | { readonly clockAheadMs: number }
  | { readonly tell: 'refresh' | 'heal' | 'stop' }

export interface WriterTask {
  readonly log: LogPlace
  readonly shape: RecordShape
  readonly writer: number
  readonly life: number
  readonly partitions: readonly string[]
  /** Records of this life at most. */
  readonly recordsMax: number
  readonly groupMax: number
  readonly pauseMs: number
}

export type ToWriter = WriterTask | { readonly tell: 'finish' }

/** What processes report. */
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

/** A process that could not begin its work: whoever watches over it starts another. */
export const exitNotStarted = 3
