import type { Scope } from '../../model/resource.ts'
import type { Level } from '../access/permissions/groups.ts'
import { type OperationDetails, operationsOf } from '../openapi/operation.ts'

/** Accounts and zones have the same Logpush routes; each has its own operation ids and permissions. */
export function logpushOperations(scope: Scope['kind']) {
  const [at, whose, area] =
    scope === 'zone'
      ? (['Zone', 'of a zone', 'zoneLogs'] as const)
      : (['Account', 'of an account', 'accountLogs'] as const)
  const operation = operationsOf('Logpush')
  return {
    /** `of a zone` or `of an account`, for summaries. */
    whose,
    isZone: scope === 'zone',
    operation: (name: string, summary: string, level: Level, details: OperationDetails) =>
      operation(`${name}${at}`, summary, [area, level], details),
  }
}
