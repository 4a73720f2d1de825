import { probeRedis } from '../../../bus/index.ts'
import { busLimits } from '../../../bus/limits.ts'
import type { Settings } from '../../../model/settings/index.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

/** No finding without `SLUICE_REDIS_URL`: machines then count alone. */
export async function checkRedis({ redisUrl, redisCa, redisPrefix }: Settings): Promise<readonly Finding[]> {
  if (redisUrl === undefined) return []
  try {
    const { server, roundTripMs } = await probeRedis({ url: redisUrl, ca: redisCa, prefix: redisPrefix })
    const state = `${server} exchanges counts in ${roundTripMs.toFixed(1)} ms`
    return [
      roundTripMs > busLimits.sharedCountsMs
        ? warning('redis', state, 'look for load on the server, or for a slow network to it')
        : ok('redis', state),
    ]
  } catch (error) {
    const reason = (error as Error).message
    const state = `${reason}: rate limits are counted on each machine alone`
    const [, action] = actions.find(([pattern]) => pattern.test(reason))!
    return [fault('redis', state, action)]
  }
}

/** Actions by the reason of the server or the network. The first that matches counts. */
const actions: readonly (readonly [RegExp, string])[] = [
  // First, because the name of the file follows.
  [/, (open|read)\b/, 'correct SLUICE_REDIS_CA'],
  // Within a script, Redis 7 says only that the user cannot run the command.
  [
    /NOPERM|permission|can't run this command/i,
    'give the user the permissions of the guide "Scale out", with SLUICE_REDIS_PREFIX',
  ],
  [/WRONGPASS|NOAUTH|AUTH/, 'correct the user and the password in SLUICE_REDIS_URL'],
  [/certificate|self-signed/i, 'name the authority of its certificate in SLUICE_REDIS_CA'],
  [/READONLY/, 'name the primary in SLUICE_REDIS_URL, not a replica'],
  [/OOM/, 'raise maxmemory of the server, and set maxmemory-policy volatile-ttl'],
  [/stream ID|unknown command/i, 'use Redis from 6.2 or Valkey'],
  [/CROSSSLOT|MOVED|CLUSTER/, 'use one server: a cluster is not supported'],
  [/^/, 'start the server, or correct SLUICE_REDIS_URL'],
]
