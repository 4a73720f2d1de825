import { databaseIsMissing, openStore } from '../../../app/index.ts'
import type { Settings } from '../../../model/settings/index.ts'
import type { Store } from '../../../store/index.ts'
import { parseCommandLine, UsageError } from '../../usage.ts'
import { checkCertificates, checkCrs, checkDatabase, checkDestinations } from './configuration.ts'
import { type Finding, fault, runCheck, warning } from './finding.ts'
import { checkDisk, checkFiles, checkPorts } from './machine.ts'
import { checkOrigins } from './origins.ts'
import { checkRedis } from './redis.ts'
import { checkClickHouse, checkNats } from './servers.ts'

/** `sluice doctor [--json]`. The exit code is 1 if there is a fault. */
export async function doctorCommand(commandLine: readonly string[]): Promise<void> {
  const { words, flags, settings } = parseCommandLine(commandLine, [], ['json'])
  if (words.length > 0) throw new UsageError('use `sluice doctor [--json]`', { command: 'doctor' })
  const found = await Promise.all([
    runCheck('ports', () => checkPorts(settings)),
    runCheck('disk', () => checkDisk(settings)),
    runCheck('files', () => checkFiles(settings)),
    runCheck('redis', () => checkRedis(settings)),
    checkStored(settings),
    runCheck('nats', () => checkNats(settings)),
    runCheck('clickhouse', () => checkClickHouse(settings)),
  ])
  const findings = found.flat()
  if (flags.has('json')) console.log(JSON.stringify(findings, undefined, 2))
  else for (const finding of findings) console.log(textOf(finding))
  if (findings.some(({ state }) => state === 'fault')) process.exitCode = 1
}

/** The checks that read the database. */
async function checkStored(settings: Settings): Promise<readonly Finding[]> {
  if (databaseIsMissing(settings))
    return [
      warning(
        'database',
        `${settings.data} has no database yet`,
        'start Sluice once (`npx sluice serve`), or name the data directory with --data',
      ),
    ]
  let store: Store
  try {
    store = await openStore(settings, false)
  } catch (error) {
    return [fault('database', (error as Error).message, 'correct SLUICE_DATABASE_URL, or start the database')]
  }
  try {
    const found = await Promise.all([
      runCheck('database', () => checkDatabase(store)),
      runCheck('crs', () => checkCrs(store, settings)),
      runCheck('certificates', () => checkCertificates(store, settings)),
      runCheck('origins', () => checkOrigins(store, settings)),
      runCheck('destinations', () => checkDestinations(store, settings)),
    ])
    return found.flat()
  } finally {
    await store.close()
  }
}

function textOf({ check, state, message, action }: Finding): string {
  const line = `${state.padEnd(8)} ${check.padEnd(13)} ${message}`
  return action === undefined ? line : `${line}\n${' '.repeat(23)}→ ${action}`
}
