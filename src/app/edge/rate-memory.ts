import { hkdfSync } from 'node:crypto'
import { newRateMemory, openRedisCounters } from '../../bus/index.ts'
import { systemClock } from '../../kit/clock.ts'
import type { Settings } from '../../model/settings/index.ts'
import type { Logger } from '../observe/logger.ts'
import { exposeSharedCounters } from '../observe/metrics.ts'
import { secretKey } from '../state/secret-key.ts'

/** Where the workers of a process count for rate limits. */
export interface RateMemory {
  readonly memory: SharedArrayBuffer
  /** A sentence for people; undefined while the machines share their counts, or if they are not to. */
  readonly problem: string | undefined
  /** Tells other machines the last counts. */
  close(): Promise<void>
}

/**
 * Shares the counts with other machines if `SLUICE_REDIS_URL` is set. Does not wait for that server.
 * @param inherited secret of the processes that replace each other; a key of the installation replaces it for machines
 */
export async function openRateMemory(
  settings: Settings,
  logger: Logger,
  inherited?: Uint8Array,
): Promise<RateMemory> {
  const { redisUrl: url, redisCa: ca, redisPrefix: prefix } = settings
  if (url === undefined)
    return { memory: newRateMemory(inherited), problem: undefined, close: async () => {} }
  const memory = newRateMemory(await installationSecret(settings))
  const sharing = await openRedisCounters(memory, { url, ca, prefix }, systemClock, away => {
    if (away === undefined) logger.info('rate limits are counted together with other machines')
    else logger.error({ reason: away }, `${aloneText}; Redis is tried again`)
  })
  exposeSharedCounters(sharing)
  return {
    memory,
    get problem() {
      return sharing.away === undefined
        ? undefined
        : `${aloneText}: Redis does not answer; the log has the reason`
    },
    close: () => sharing.close(),
  }
}

const aloneText = 'rate limits are counted on this machine alone'

/** Hashes the clients in Redis. All machines have the key it comes from. */
async function installationSecret(settings: Settings): Promise<Uint8Array> {
  const key = await secretKey(settings, false)
  return new Uint8Array(hkdfSync('sha256', key, '', 'sluice rate counters', 16))
}
