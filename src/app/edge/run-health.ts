import type { ChangeFeed } from '../../bus/index.ts'
import { type OriginChange, startHealthChecks } from '../../health/index.ts'
import type { Settings } from '../../model/settings/index.ts'
import type { Store } from '../../store/index.ts'
import type { Logger } from '../observe/logger.ts'
import { countCheck, exposeOriginHealth } from '../observe/metrics.ts'
import { machineId } from '../state/machine-id.ts'
import type { EdgeWorkers } from './workers.ts'

/**
 * Checks the origins of pools once for all edge workers of this process.
 * @returns ends the checks
 */
export async function runHealthChecks(
  settings: Settings,
  store: Store,
  changes: ChangeFeed,
  edges: Pick<EdgeWorkers, 'setDown'>,
  logger: Logger,
): Promise<() => Promise<void>> {
  const onError = (message: string, error: unknown) => logger.error({ err: error }, message)
  const checks = await startHealthChecks({
    store: store.loadBalancing,
    changes,
    policy: { reach: settings.origins, setting: 'SLUICE_ORIGINS' },
    machine: machineId(settings.data),
    onChange: change => logChange(logger, change),
    onCheck: countCheck,
    onDown: keys => edges.setDown(keys),
    onError,
  })
  exposeOriginHealth(() => checks.origins())
  return () => checks.close()
}

function logChange(logger: Logger, { origin, healthy, reason }: OriginChange): void {
  const { pool, target } = origin
  const { name, address, port } = target.origin
  const fields = { pool: pool.name, poolId: pool.id, origin: name, address, port }
  if (healthy) logger.info(fields, `origin ${address} of pool ${pool.name} is healthy`)
  else logger.warn({ ...fields, reason }, `origin ${address} of pool ${pool.name} is down: ${reason}`)
}
