export type { OnFault, RecordLogFault } from './faults.ts'
export { RecordLogError } from './faults.ts'
export { FieldPicker } from './field-picker.ts'
export type { ChangeKeeper, ChangePosition, ChangeSource } from './local/change-feed.ts'
export { createChangeFeed } from './local/change-feed.ts'
export { LocalRateCounters, newRateMemory, type RateCounts } from './local/rate-counters/rate-counters.ts'
export { newRateSecret } from './local/rate-counters/table.ts'
export { openLocalRecordLog } from './local/spool/record-log.ts'
export type { NatsOptions } from './nats/options.ts'
export { openNatsRecordLog } from './nats/record-log.ts'
export { type NatsState, natsState } from './nats/state.ts'
export type { LogPolicy } from './policy.ts'
export type {
  Change,
  ChangeFeed,
  Forwarding,
  LogPart,
  PartitionStats,
  RateCounters,
  RateLimit,
  RateState,
  RecordLog,
  RecordReader,
  RecordWriter,
  SequencedRecord,
  SharedCounterStats,
  SharedCounters,
  StoredRecord,
} from './port.ts'
export { openRedisCounters, probeRedis } from './redis/open-on-use.ts'
export { type RecordHead, recordFields, recordHead } from './stored-record.ts'
