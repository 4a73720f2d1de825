import { PostgresDialect } from 'kysely'
import { storeLimits } from '../limits.ts'
import type { Notice, Notices } from '../transactions.ts'
import { poolOf } from './pool.ts'

/** The channel of the trigger that migration 32 makes. */
const channel = 'sluice_changes'

/**
 * One connection that reads changes, and listens from its first read on. The server gives notice of a change on it. When
 * the connection is lost, the callbacks are called too: the next read makes another one and sees what was missed.
 * @source PostgreSQL manual, LISTEN
 */
export function openNotices(url: string): Notices {
  const callbacks = new Set<(reason: Notice) => void>()
  const notify = (reason: Notice): void => {
    for (const callback of callbacks) callback(reason)
  }
  const pool = poolOf(url, {
    connections: 1,
    async onConnect(client) {
      client.on('notification', () => notify('commit'))
      await client.query(`listen ${channel}`)
    },
    // Not all processes at once: a server that restarts has lost the connections of all.
    onLost: () => setTimeout(notify, Math.random() * storeLimits.postgresReturnMs, 'lost').unref(),
  })
  return { dialect: new PostgresDialect({ pool }), onNotice: callback => callbacks.add(callback) }
}
