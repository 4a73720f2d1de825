import { limit, limits, tuning } from '../kit/limits.ts'

export const busLimits = limits('Record log and change feed', {
  changePollMs: tuning(100, 'ms', 'A change is announced within 300 ms: the poll has a third of it.'),
  changeCheckMs: limit(
    30_000,
    'ms',
    'Interval at which a process that PostgreSQL notifies of changes looks for changes without a notice.',
  ),
  recordBytesMax: limit(
    1_000_000,
    'bytes',
    'One log record, in UTF-8; longer → dropped and reported. NATS takes 1 MiB with headers.',
  ),
  queueBytesMax: limit(
    64 * 1024 * 1024,
    'bytes',
    'Records that wait to be written; beyond it, the newest are dropped and reported.',
  ),
  drainMs: tuning(2000, 'ms', 'Time for a NATS server to answer a process that ends.'),
  retryMs: tuning(500, 'ms', 'A writer that failed tries again after this long.'),
  faultsToldMs: tuning(10_000, 'ms', 'Interval at which a writer reports a repeated fault.'),
  capacityCheckMs: tuning(
    500,
    'ms',
    'Where a full log refuses records, a writer checks this often whether it has space again.',
  ),
  queueReserveBytes: tuning(
    32 * 1024 * 1024,
    'bytes',
    'Where a full log refuses records, this much of what may wait in memory is for requests that are under way already.',
  ),
  natsQuotaShare: tuning(
    16,
    'count',
    'Parts of each limit of a JetStream stream: one is for requests that are under way when the others are full.',
  ),
  segmentBytes: tuning(
    16 * 1024 * 1024,
    'bytes',
    'A spool segment that has reached this size is followed by a new one; with a small quota earlier.',
  ),
  segmentBytesMin: tuning(
    64 * 1024,
    'bytes',
    'Segments are not made smaller than this, however small the quota.',
  ),
  segmentQuotaShare: tuning(
    16,
    'count',
    'Parts of the quota: one for the newest segments of all partitions, one for their successors, the others for the rest.',
  ),
  segmentAgeShare: tuning(
    24,
    'count',
    'A segment that holds this part of the retention time is followed by a new one: one in so many.',
  ),
  segmentAgeMsMin: tuning(60_000, 'ms', 'A segment is not followed by a new one for its age before this.'),
  syncIntervalMs: limit(1000, 'ms', 'Time between syncs to the disk with the policy `interval`.'),
  clockStepMsMax: tuning(
    60_000,
    'ms',
    'A clock that is set back by no more than this does not turn the times of records back.',
  ),
  partitionLockMsMax: tuning(
    1000,
    'ms',
    'A writer waits this long for another process to give up its partition.',
  ),
  spoolLockMsMax: tuning(
    30_000,
    'ms',
    'The removal of segments waits this long for another writer or reader that removes some.',
  ),
  readerPositionsMax: tuning(
    256,
    'count',
    'Read positions that a reader keeps; a job uses one in each partition.',
  ),
  natsRemakeMs: tuning(
    500,
    'ms',
    'A deleted stream is created again after this long: its server may still be removing it.',
  ),
  natsRefusedMs: tuning(
    10_000,
    'ms',
    'How long readers still know that NATS refuses messages, after the writer has died.',
  ),
  natsLossMs: tuning(
    5000,
    'ms',
    'A stream that ends before a position up to which it was read counts as another log after this long.',
  ),
  natsEarlierMs: tuning(
    60_000,
    'ms',
    'A reader looks this often whether the stream of a version before partitions exists.',
  ),
  forwardPauseMs: tuning(100, 'ms', 'The forwarder looks for new records of the spool after this long.'),
  forwardBatchRecords: tuning(
    1000,
    'count',
    'Records of a partition that the forwarder publishes to NATS before it waits for the acknowledgements.',
  ),
  forwardBatchBytes: tuning(2 * 1024 * 1024, 'bytes', 'The same in bytes of records.'),
  forwardStoreMs: tuning(
    1000,
    'ms',
    'The forwarder stores its position this often: after a crash it looks through what it sent since.',
  ),
  forwardFinishMs: limit(
    2000,
    'ms',
    'An edge that ends has this long to send its last records to NATS; the next start sends the others.',
  ),
  natsAckMsMax: tuning(
    3000,
    'ms',
    'A message not acknowledged by then is published again, under the same id.',
  ),
  natsFetchMax: tuning(1000, 'count', 'Messages asked of NATS at once.'),
  rateCountersMax: limit(
    524_288,
    'count',
    'Counts of rate limits on one machine, in 29 MB; beyond it, the count that ends soonest is dropped.',
  ),
  sharedCountsMs: limit(
    100,
    'ms',
    'Interval at which a machine exchanges its counts of rate limits with the others.',
  ),
  sharedCountsNearMs: limit(
    10,
    'ms',
    'Least time between two exchanges, which a count begins that has reached half of its limit.',
  ),
  sharedCountsMax: tuning(512, 'count', 'Counts in one exchange; the others follow in the next.'),
  redisAnswerMs: limit(
    1000,
    'ms',
    'Redis has this time to answer; else its connection is given up, and the machine counts alone until there is another.',
  ),
})
