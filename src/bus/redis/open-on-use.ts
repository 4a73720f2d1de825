import type { probeRedis as probe } from './probe.ts'
import type { openRedisCounters as open } from './shared-counters.ts'

/** As in `shared-counters.ts`. Its client library takes time and memory, so it is loaded with the first use. */
export async function openRedisCounters(...input: Parameters<typeof open>): Promise<ReturnType<typeof open>> {
  return (await import('./shared-counters.ts')).openRedisCounters(...input)
}

/** As in `probe.ts`, and loaded like the other. */
export async function probeRedis(...input: Parameters<typeof probe>): ReturnType<typeof probe> {
  return (await import('./probe.ts')).probeRedis(...input)
}
