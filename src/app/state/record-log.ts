import { join } from 'node:path'
import { type OnFault, openLocalRecordLog, openNatsRecordLog, type RecordLog } from '../../bus/index.ts'
import type { Settings } from '../../model/settings/index.ts'
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
  const policy = {
    sync: settings.spoolSync,
    bytes: settings.spoolBytes,
    full: settings.spoolFull,
    ageMs: settings.spoolAge,
  }
  const directory = join(settings.data, 'spool')
  if (settings.natsUrl !== undefined)
    return openNatsRecordLog(settings.natsUrl, directory, onFault, policy, {
      credentials: settings.natsCredentials,
      ca: settings.natsCa,
      stream: settings.natsStream,
      subject: settings.natsSubject,
      partitions: settings.natsPartitions,
      bytes: settings.natsBytes ?? settings.spoolBytes,
      replicas: settings.natsReplicas,
      cluster: settings.natsCluster,
      tags: settings.natsTags,
      duplicateMs: settings.natsDuplicateWindow,
      owner: store && (await installationId(store)),
    })
  const name = `spool-${machineId(settings.data)}`
  return openLocalRecordLog(directory, onFault, policy, name)
}
