import { clickHouseState } from '../../../analytics/index.ts'
import { checkedNats, clickHouseServer } from '../../../app/index.ts'
import type { NatsState } from '../../../bus/index.ts'
import type { Settings } from '../../../model/settings/index.ts'
import { type Finding, fault, ok, warning } from './finding.ts'
import { doctorLimits } from './limits.ts'

/** Without SLUICE_NATS_URL, there is nothing to check. */
export async function checkNats(settings: Settings): Promise<readonly Finding[]> {
  try {
    const state = await checkedNats(settings, undefined)
    if (state === undefined) return []
    const { server, version, streams } = state
    const missing = streams.filter(({ found }) => found === undefined)
    const findings = [
      ...versionFindings(state, settings.natsReplicas),
      ...streams.flatMap(stream => streamFindings(stream, settings.natsReplicas)),
    ]
    const what = `${server} (${version}) answers with JetStream; ${streams.length - missing.length} of ${streams.length} streams exist`
    const action = 'start a process with the role edge: it creates them. Check SLUICE_NATS_PARTITIONS'
    return [missing.length === 0 ? ok('nats', what) : warning('nats', what, action), ...findings]
  } catch (error) {
    const action =
      'start NATS with JetStream, or correct SLUICE_NATS_URL and its credentials. Until then, records wait in the spool of each edge'
    return [fault('nats', (error as Error).message, action)]
  }
}

/** The first version that the makers of NATS name for clusters whose servers had removed their streams. */
const clusterVersion = [2, 10, 23] as const

/** @param replicas of the settings; a single server has no peers that could disagree with it */
export function versionFindings(
  { server, version }: Pick<NatsState, 'server' | 'version'>,
  replicas: number,
): readonly Finding[] {
  const parts = version.split('.').map(part => Number.parseInt(part, 10))
  const at = clusterVersion.findIndex((wanted, index) => parts[index] !== wanted)
  if (replicas < 2 || at === -1 || parts[at]! > clusterVersion[at]!) return []
  const oldest = clusterVersion.join('.')
  return [
    warning(
      'nats',
      `${server} has NATS ${version}: in a cluster before ${oldest}, a server can remove its streams after it was killed or its disk was full`,
      `update the NATS servers to ${oldest} or newer, one after the other`,
    ),
  ]
}

function streamFindings({ name, found }: NatsState['streams'][number], wanted: number): readonly Finding[] {
  const findings: Finding[] = []
  if (found === undefined) return findings
  const { replicas, behind } = found
  if (behind.length > 0)
    findings.push(
      fault(
        'nats',
        `${name}: ${behind.join(', ')} is away or behind`,
        'start the server, or wait until it has all messages',
      ),
    )
  if (replicas < wanted)
    findings.push(
      warning(
        'nats',
        `${name} has ${replicas} of ${wanted} replicas (SLUICE_NATS_REPLICAS)`,
        `nats stream edit ${name} --replicas ${wanted}`,
      ),
    )
  return findings
}

/** Without SLUICE_CLICKHOUSE_URL, there is nothing to check. */
export async function checkClickHouse(settings: Settings): Promise<readonly Finding[]> {
  try {
    const server = await clickHouseServer(settings)
    if (server === undefined) return []
    const before = Date.now()
    const { version, database, bytes, nowMs } = await clickHouseState(server)
    const what = `ClickHouse ${version} answers; the database ${database} has ${(bytes / 1024 ** 2).toFixed(1)} MiB`
    // The answer is of some moment between the two.
    const skewMs = nowMs < before ? before - nowMs : nowMs - Date.now()
    return [
      ok('clickhouse', what),
      ...(skewMs > doctorLimits.clockSkewMs
        ? [
            warning(
              'clock',
              `the clock of ClickHouse differs by ${Math.round(skewMs / 1000)} seconds`,
              'synchronise both clocks by NTP',
            ),
          ]
        : []),
    ]
  } catch (error) {
    const action =
      'start ClickHouse, or correct SLUICE_CLICKHOUSE_URL and the files of its password and CA. Until then, records wait in the record log and queries answer 503'
    return [fault('clickhouse', (error as Error).message, action)]
  }
}
