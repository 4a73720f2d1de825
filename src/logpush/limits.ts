import { limit, limits, tuning } from '../kit/limits.ts'

export const logpushLimits = limits('Logpush', {
  outputTextCharactersMax: limit(
    4096,
    'characters',
    'Characters of each prefix, suffix and delimiter of `output_options`; more → 400.',
  ),
  outputTemplateCharactersMax: limit(
    32_768,
    'characters',
    'Characters of `record_template`; more → 400. All fields of a dataset take about 5,000.',
  ),
  jobNameCharactersMax: limit(512, 'characters', 'Name of a job; longer → 400.'),
  datasetNameCharactersMax: limit(256, 'characters', 'Name of a dataset in a request; longer → 400.'),
  optionsCharactersMax: limit(
    4096,
    'characters',
    '`logpull_options`, and `ownership_challenge`; longer → 400.',
  ),
  uploadBytesMin: limit(5_000_000, 'bytes', 'Lowest `max_upload_bytes` of a job besides 0; lower → 400.'),
  uploadBytesMax: limit(1_000_000_000, 'bytes', 'Highest `max_upload_bytes` of a job; higher → 400.'),
  uploadSecondsMin: limit(30, 's', 'Lowest `max_upload_interval_seconds` of a job besides 0; lower → 400.'),
  uploadSecondsMax: limit(300, 's', 'Highest `max_upload_interval_seconds` of a job; higher → 400.'),
  uploadRecordsMin: limit(1000, 'count', 'Lowest `max_upload_records` of a job besides 0; lower → 400.'),
  uploadRecordsMax: limit(1_000_000, 'count', 'Highest `max_upload_records` of a job; higher → 400.'),
  destinationCharactersMax: limit(4096, 'characters', 'Characters of `destination_conf`; more → 400.'),
  batchRecordsMax: limit(100_000, 'count', 'Records of one object; then the next object begins.'),
  batchBytesMax: limit(
    64 * 1024 * 1024,
    'bytes',
    'Uncompressed bytes of one object; then the next object begins.',
  ),
  batchIntervalMs: limit(30_000, 'ms', "Time after a job's last object until the next one is written."),
  lowBatchRecordsMax: limit(1_000_000, 'count', 'Records of one object of a job with the frequency `low`.'),
  lowBatchIntervalMs: limit(300_000, 'ms', 'Time between the objects of a job with the frequency `low`.'),
  sliceRecords: tuning(
    500,
    'count',
    'Records of one partition, and bytes of records, that delivery reads at a time.',
  ),
  sliceBytes: tuning(
    1024 * 1024,
    'bytes',
    'Records of one partition, and bytes of records, that delivery reads at a time.',
  ),
  auditEntriesRead: tuning(100, 'count', 'Entries of the audit trail that delivery reads at a time.'),
  gzipPieceCharacters: tuning(
    256 * 1024,
    'characters',
    'Text of a batch is compressed in pieces of this many characters, in other threads.',
  ),
  rowGroupCharacters: tuning(
    8 * 1024 * 1024,
    'characters',
    'Values of one row group of a Parquet file, as text; memory holds one row group at a time.',
  ),
  parquetHeapMb: tuning(256, 'MB', 'Heap of the thread that makes Parquet files.'),
  parquetIdleMs: tuning(60_000, 'ms', 'Idle time after which the thread that makes Parquet files ends.'),
  parquetMs: limit(300_000, 'ms', 'Time to make one Parquet file; then it is made again.'),
  pickedFieldsMax: tuning(
    24,
    'count',
    'Fields of a record that are read from its text; a job that needs more parses the record.',
  ),
  pickingJobsMax: tuning(
    3,
    'count',
    'Jobs that read their fields from the text of a record; for more, it is parsed once for all of them.',
  ),
  turnMs: tuning(5, 'ms', 'Delivery yields the event loop after working on records for this long.'),
  uploadMs: limit(300_000, 'ms', 'Time for a destination to accept an object; then the upload is repeated.'),
  manifestMs: limit(60_000, 'ms', 'Time for a destination to accept a manifest; then it is repeated.'),
  finishMs: limit(
    5000,
    'ms',
    'Time that uploads have to finish when delivery ends; then they are cut off and repeated at the next start.',
  ),
  comparedBytesMax: limit(
    256 * 1024 * 1024,
    'bytes',
    'Stored object that is read to see whether an earlier upload has arrived (or twice the present object, if that is more); larger → it counts as another object.',
  ),
  objectTextBytesMax: tuning(
    2_000_000_000,
    'bytes',
    'Text of such an object: above the largest batch that a job may configure, with the text around its lines.',
  ),
  multipartBytesMin: limit(
    16 * 1024 * 1024,
    'bytes',
    'Size from which an object goes to S3 in parts, so that a broken connection does not lose the whole upload.',
  ),
  multipartPartBytes: limit(
    8 * 1024 * 1024,
    'bytes',
    'One part of such an upload. Amazon allows 5 MiB to 5 GiB, and 10,000 parts.',
  ),
  earlyQuotaShare: tuning(
    2,
    'count',
    'Parts of the quota of the record log: while undelivered records use one or more of them, jobs deliver early.',
  ),
  behindMs: limit(
    120_000,
    'ms',
    'A job counts as behind when its oldest record waits this much longer than the interval of its objects.',
  ),
})

export const instantLimits = limits('Instant Logs', {
  sessionMs: limit(60 * 60 * 1000, 'ms', 'Time after which a session ends.'),
  idleMs: limit(5 * 60 * 1000, 'ms', 'Time without a listener after which a session ends.'),
  sampleMax: limit(
    10_000,
    'count',
    'Largest sample interval of a session: one in this many records; larger → 400.',
  ),
  listenersMax: limit(5, 'count', 'Connections that listen to one session in one process; one more → 429.'),
  sessionsMax: limit(20, 'count', 'Sessions that are listened to in one process; one more → 429.'),
  waitingBytesMax: limit(
    512 * 1024,
    'bytes',
    'Lines that wait for a slow listener; beyond it, lines are left out and counted.',
  ),
  chunkRecords: tuning(250, 'count', 'Records that are read at once.'),
  chunkBytes: tuning(256 * 1024, 'bytes', 'Bytes of records that are read at once.'),
  behindRecordsMax: limit(
    50_000,
    'count',
    'Records that a listener may lag behind; beyond it, the records between are skipped.',
  ),
})

export const logpullLimits = limits('Logpull', {
  rangeMsMax: limit(60 * 60 * 1000, 'ms', 'Time between `start` and `end`; more → 400.'),
  ageMsMax: limit(7 * 24 * 60 * 60 * 1000, 'ms', 'Oldest `start`; earlier → 400.'),
  settledMs: limit(
    60_000,
    'ms',
    'Age that `end` must have, so that every record of the range has arrived; later → 400.',
  ),
  chunkRecords: tuning(250, 'count', 'Records that are read at once.'),
  chunkBytes: tuning(256 * 1024, 'bytes', 'Bytes of records that are read at once.'),
  rayRecordsMax: limit(
    2_000_000,
    'count',
    'Records that are searched for a ray id; not found among them → 400.',
  ),
})
