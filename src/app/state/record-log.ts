import { join } from 'node:path'
import {
  type LogPolicy,
  type NatsOptions,
  type NatsState,
  natsState,
  type OnFault,
  openLocalRecordLog,
  openNatsRecordLog,
  type RecordLog,
} from '../../bus/index.ts'
import { type Settings, streamBytesOf } from '../../model/settings/index.ts'
import { installationId, type KeyStore } from './keys.ts'
import { machineId } from './machine-id.ts'

/**
 * The only code that chooses between the local spool and NATS.
 * @param store its installation's id is given to a new stream; a stream with another id is refused
 */
export async function openRecordLog(
  settings: Settings,
  onFault: OnFault,
  store?: KeyStore,
): Promise<RecordLog> {
  const policy = policyOf(settings)
  const directory = join(settings.data, 'spool')
  if (settings.natsUrl !== undefined)
    return openNatsRecordLog(
      settings.natsUrl,
      directory,
      onFault,
      policy,
      await natsOptionsOf(settings, store),
    )
  const name = `spool-${machineId(settings.data)}`
  return openLocalRecordLog(directory, onFault, policy, name)
}

/** The streams on the servers of SLUICE_NATS_URL; undefined without them. Changes nothing. @throws RecordLogError */
export async function checkedNats(
  settings: Settings,
  store: KeyStore | undefined,
): Promise<NatsState | undefined> {
  const { natsUrl } = settings
  if (natsUrl === undefined) return undefined
  return natsState(natsUrl, policyOf(settings), await natsOptionsOf(settings, store))
}

function policyOf({
  spoolSync: sync,
  spoolBytes: bytes,
  spoolFull: full,
  spoolAge: ageMs,
}: Settings): LogPolicy {
  return { sync, bytes, full, ageMs }
}

async function natsOptionsOf(settings: Settings, store: KeyStore | undefined): Promise<NatsOptions> {
  return {
    credentials: settings.natsCredentials,
    ca: settings.natsCa,
    stream: settings.natsStream,
    subject: settings.natsSubject,
    partitions: settings.natsPartitions,
    bytes: streamBytesOf(settings),
    replicas: settings.natsReplicas,
    cluster: settings.natsCluster,
    tags: settings.natsTags,
    duplicateMs: settings.natsDuplicateWindow,
    owner: store && (await installationId(store)),
  }
}
