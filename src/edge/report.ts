import type { EdgeCore } from './core.ts'
import type { Exchange } from './exchange.ts'

/** Tells the log about a mistake of ours. */
export function reportInternal({ deps }: EdgeCore, { rayId }: Exchange, error: unknown): void {
  deps.logger.error({ err: error, rayId }, 'a request could not be checked')
}
