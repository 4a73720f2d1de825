import { openRecordLog } from '../app/index.ts'
import type { JobPlace } from '../logpush/index.ts'
import type { Settings } from '../model/settings.ts'
import { listJobs } from './logs-jobs.ts'
import { replayJob } from './logs-replay.ts'
import { parseCommandLine, UsageError } from './usage.ts'
import { withStore } from './with-store.ts'

const usage =
  'use `sluice logs jobs` or `sluice logs replay --zone NAME|--account ID --job N --start T --end T [--wait]`'

/** `sluice logs jobs` and `sluice logs replay`. */
export async function logsCommand(commandLine: readonly string[]): Promise<void> {
  const { words, flags, settings } = parseCommandLine(
    commandLine,
    ['zone', 'account', 'job', 'start', 'end'],
    ['wait'],
  )
  const [verb] = words
  if (words.length !== 1) throw new UsageError(usage)
  if (verb === 'jobs' && flags.size === 0) await withLogs(settings, place => listJobs(place))
  else if (verb === 'replay') await withLogs(settings, place => replayJob(place, flags))
  else throw new UsageError(usage)
}

/** Opens the database and the record log, to read, for one command. */
async function withLogs(settings: Settings, work: (place: JobPlace) => Promise<void>): Promise<void> {
  await withStore(settings, async store => {
    const log = await openRecordLog(settings, fault => console.error(`sluice: ${fault.message}`))
    try {
      await work({ store, reader: await log.reader() })
    } finally {
      await log.close()
    }
  })
}
