import { openRecordLog, type SystemAudit } from '../../../app/index.ts'
import type { JobBackends } from '../../../logpush/index.ts'
import type { Settings } from '../../../model/settings/index.ts'
import { parseCommandLine, UsageError } from '../../usage.ts'
import { withStore } from '../../with-store.ts'
import { listJobs } from './jobs.ts'
import { replayJob } from './replay.ts'

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
  if (words.length !== 1) throw new UsageError(usage, { command: 'logs' })
  if (verb === 'jobs' && flags.size === 0)
    await withLogs(settings, 'sluice logs jobs', backends => listJobs(backends))
  else if (verb === 'replay')
    await withLogs(settings, 'sluice logs replay', (backends, audit) => replayJob(backends, flags, audit))
  else throw new UsageError(usage, { command: 'logs' })
}

/** Opens the database and the record log, to read, for one command. */
async function withLogs(
  settings: Settings,
  command: string,
  work: (backends: JobBackends, audit: SystemAudit) => Promise<void>,
): Promise<void> {
  await withStore(settings, command, async (store, audit) => {
    const log = await openRecordLog(settings, fault => console.error(`sluice: ${fault.message}`))
    try {
      await work({ store, reader: await log.reader() }, audit)
    } finally {
      await log.close()
    }
  })
}
