import { limit, limits } from '../../../kit/limits.ts'

export const doctorLimits = limits('sluice doctor', {
  checkMs: limit(12_000, 'ms', 'Time of one check; longer → a fault of its subject.'),
  originMs: limit(5000, 'ms', 'Time for an origin to connect, and again to begin its response.'),
  portMs: limit(3000, 'ms', 'Time for an address of Sluice itself to accept a connection.'),
  clockSkewMs: limit(
    30_000,
    'ms',
    'Difference between the clock of the machine and the clock of an origin or of ClickHouse; more → a warning.',
  ),
  databaseMs: limit(50, 'ms', 'Usual time of an answer of the database; more → a warning.'),
  freeBytesMin: limit(256 * 1024 ** 2, 'bytes', 'Free space of the data directory; less → a fault.'),
  freeShareMin: limit(0.1, 'share', 'The same as a share of the disk; less → a warning.'),
})
