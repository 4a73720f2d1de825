import { type Backend, type Gate, openGate } from './gate.ts'
import { migrate, requireMigrated } from './migrate.ts'
import type { Store } from './port.ts'
import { accountQueries } from './queries/accounts.ts'
import { auditQueries } from './queries/audit.ts'
import { changeQueries } from './queries/changes.ts'
import { crsQueries } from './queries/crs.ts'
import { deliveryQueries } from './queries/delivery.ts'
import { ping, secretQueries } from './queries/installation.ts'
import { jobQueries } from './queries/jobs.ts'
import { listQueries } from './queries/lists.ts'
import { tokenQueries, userQueries } from './queries/people.ts'
import { planQueries } from './queries/plans.ts'
import { retentionQueries } from './queries/retention.ts'
import { rulesetQueries } from './queries/rulesets.ts'
import { shadowQueries } from './queries/shadows.ts'
import { zoneQueries } from './queries/zones.ts'

export interface StoreOptions {
  /** Brings the schema up to date first: the control role's part. The others need it to be. */
  readonly migrate: boolean
}

export async function openStore(backend: Backend, options: StoreOptions): Promise<Store> {
  const gate = openGate(backend)
  try {
    await (options.migrate ? migrate(gate) : requireMigrated(gate))
  } catch (error) {
    await gate.close().catch(() => {})
    throw error
  }
  return storeOver(gate)
}

function storeOver(gate: Gate): Store {
  return {
    accounts: accountQueries(gate),
    users: userQueries(gate),
    tokens: tokenQueries(gate),
    zones: zoneQueries(gate),
    rulesets: rulesetQueries(gate),
    plans: planQueries(gate),
    shadows: shadowQueries(gate),
    retention: retentionQueries(gate),
    lists: listQueries(gate),
    audit: auditQueries(gate),
    jobs: jobQueries(gate),
    delivery: deliveryQueries(gate),
    crs: crsQueries(gate),
    secrets: secretQueries(gate),
    changes: changeQueries(gate),
    ping: () => ping(gate),
    close: () => gate.close(),
  }
}
