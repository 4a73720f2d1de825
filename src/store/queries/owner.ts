import type { Scope } from '../../model/resource.ts'

/** The two owner columns of a resource of an account or a zone; exactly one is set. */
export interface OwnerColumns {
  account_id: string | null
  zone_id: string | null
}

export function ownerColumn(scope: Scope): keyof OwnerColumns {
  return scope.kind === 'account' ? 'account_id' : 'zone_id'
}

export function ownerColumns({ kind, id }: Scope): OwnerColumns {
  return { account_id: kind === 'account' ? id : null, zone_id: kind === 'zone' ? id : null }
}

export function ownerOf({ account_id: accountId, zone_id: zoneId }: OwnerColumns): Scope {
  return accountId === null ? { kind: 'zone', id: zoneId! } : { kind: 'account', id: accountId }
}
