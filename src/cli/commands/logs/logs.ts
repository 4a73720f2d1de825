import { openRecordLog, type SystemAudit } from '../../../app/index.ts'
import type { JobBackends } from '../../../logpush/index.ts'
import type { Settings } from '../../../model/settings/index.ts'
import { parseCommandLine, UsageError } from '../../usage.ts'
import { withStore } from '../../with-store.ts'
import { listJobs } from './jobs.ts'
import { replayJob } from './replay.ts'
import { searchFlags, searchLogs } from './search.ts'

const usage =
  'use `sluice logs jobs`, `sluice logs replay --zone NAME|--account ID --job N --start T --end T [--wait]` or `sluice logs search --zone NAME`'

/** `sluice logs`. */
export async function logsCommand(commandLine: readonly string[]): Promise<void> {
  const { words, flags, settings } = parseCommandLine(commandLine, [...ownFlags, ...searchOnly], ['wait'])
  const [verb] = words
  if (words.length !== 1) throw new UsageError(usage, { command: 'logs' })
  if (verb === 'jobs' && flags.size === 0)
    await withLogs(settings, 'sluice logs jobs', backends => listJobs(backends))
  else if (verb === 'search' && isOnly(flags, ['zone', ...searchOnly])) await searchLogs({ flags, settings })
  else if (verb === 'replay' && isOnly(flags, [...ownFlags, 'wait']))
    await withLogs(settings, 'sluice logs replay', (backends, audit) => replayJob(backends, flags, audit))
  else throw new UsageError(usage, { command: 'logs' })
}

const ownFlags = ['zone', 'account', 'job', 'start', 'end']
const searchOnly = [...searchFlags, 'limit']

function isOnly(flags: ReadonlyMap<string, string>, known: readonly string[]): boolean {
  return [...flags.keys()].every(name => known.includes(name))
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
