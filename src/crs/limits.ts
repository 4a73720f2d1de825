import { limit, limits, tuning } from '../kit/limits.ts'

export const crsLimits = limits('CRS releases', {
  releaseListBytesMax: limit(
    8 * 1024 * 1024,
    'bytes',
    "List of releases from upstream's server; 30 releases are about 0.5 MB.",
  ),
  archiveBytesMax: limit(
    16 * 1024 * 1024,
    'bytes',
    "Upstream's archive, compressed; 4.28.0 is about 0.3 MB.",
  ),
  unpackedBytesMax: limit(
    128 * 1024 * 1024,
    'bytes',
    "Upstream's archive, unpacked. It bounds the growth of a small archive.",
  ),
  signatureBytesMax: limit(1024 * 1024, 'bytes', 'A public key or a detached signature.'),
  fileBytesMax: limit(8 * 1024 * 1024, 'bytes', 'One rule or phrase file.'),
  filesMax: limit(500, 'count', 'Files of one release.'),
  upstreamKeptMs: limit(6 * 3_600_000, 'ms', 'Time until upstream is asked again for the newest release.'),
  upstreamRetryMs: limit(600_000, 'ms', 'The same when upstream did not answer.'),
  downloadMs: limit(10_000, 'ms', "Time for one response of upstream's server."),
  packageCommandMs: limit(120_000, 'ms', 'Time for one run of the package manager.'),
  programsMax: tuning(
    4,
    'count',
    'Compiled programs, and snapshots of such, kept in memory; the one unused for longest goes.',
  ),
  snapshotsMax: tuning(8, 'count', 'Snapshots of programs kept on disk; the oldest goes.'),
  snapshotBytesMax: tuning(
    256 * 1024 * 1024,
    'bytes',
    'One snapshot on disk; a larger one is not read, and the rules are compiled. A snapshot of CRS 4.28.0 takes about 10 MB.',
  ),
})
