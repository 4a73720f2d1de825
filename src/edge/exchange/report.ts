import type { EdgeCore } from './core.ts'
import type { RequestFacts } from './facts.ts'

/** Logs an internal error. */
export function reportInternal({ deps }: EdgeCore, { rayId }: RequestFacts, error: unknown): void {
  deps.logger.error({ err: error, rayId }, 'a request could not be checked')
}
