import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OnFault } from '../faults.ts'
import type { NatsOptions } from '../nats/options.ts'
import { openNatsRecordLog } from '../nats/record-log.ts'
import { defaultPolicy, type LogPolicy } from '../policy.ts'
import type { Forwarding, RecordLog } from '../port.ts'

/** The log on a NATS server with its spool in a new directory, unless one is given. One partition. */
export function openNats(
  url: string,
  onFault: OnFault = () => {},
  policy: LogPolicy = defaultPolicy,
  options: Partial<NatsOptions> = {},
  directory: string = mkdtempSync(join(tmpdir(), 'sluice-nats-spool-')),
): RecordLog {
  return openNatsRecordLog(url, directory, onFault, policy, { partitions: 1, ...options })
}

/** The same. Its first writer begins to forward, and a flush resolves when the streams have the records. */
export function openForwarding(...input: Parameters<typeof openNats>): RecordLog {
  const log = openNats(...input)
  let forwarding: Promise<Forwarding> | undefined
  return {
    ...log,
    async writer(name, isWanted) {
      const writer = await log.writer(name, isWanted)
      forwarding ??= log.forward!(isWanted)
      const moving = await forwarding
      return {
        get full() {
          return writer.full
        },
        append: record => writer.append(record),
        handedOver: () => writer.handedOver(),
        async close() {
          await writer.close()
          await isForwarded(moving)
        },
        async flush() {
          await writer.flush()
          await isForwarded(moving)
        },
      }
    },
  }
}

/** Resolves when the streams have every record of the spool. */
export async function isForwarded(forwarding: Forwarding): Promise<void> {
  for (let waitedMs = 0; waitedMs < 20_000; waitedMs += 20) {
    const all = await forwarding.stats()
    if (all.every(({ delivered, head }) => delivered === head)) return
    await sleep(20)
  }
  throw new Error('NATS does not take the records')
}
