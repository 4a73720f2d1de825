import { type AuditedChange, releaseToWire, type SystemActor, systemAuditEntry } from '../api/index.ts'
import type { CrsAudit } from '../crs/index.ts'
import type { AuditEntry } from '../model/resource.ts'
import type { Store } from '../store/index.ts'

/** Audit entries for changes on the machine, in the first account: an installation has one. */
export interface SystemAudit {
  entry(change: AuditedChange): AuditEntry
  readonly crs: CrsAudit
}

export async function systemAudit(store: Pick<Store, 'accounts'>, actor: SystemActor): Promise<SystemAudit> {
  const accountId = (await store.accounts.list())[0]?.id ?? ''
  const entry = (change: AuditedChange) => systemAuditEntry(actor, { accountId, ...change }, Date.now())
  return {
    entry,
    crs: (action, release) =>
      entry({
        action,
        resource: { kind: 'crs_release', id: String(release.version) },
        before: null,
        after: releaseToWire(release, true),
      }),
  }
}
