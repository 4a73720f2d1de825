import type { Cipher } from '../kit/cipher.ts'
import { type Backend, type Gate, openGate } from './gate.ts'
import { migrate, requireMigrated } from './migrate.ts'
import type { Store } from './port.ts'
import { accountQueries } from './queries/accounts.ts'
import { auditQueries } from './queries/audit.ts'
import { changeQueries } from './queries/changes.ts'
import { crsQueries } from './queries/crs.ts'
import { deliveryQueries } from './queries/delivery.ts'
import { deliveryReportQueries } from './queries/delivery-reports.ts'
import { ping, secretQueries } from './queries/installation.ts'
import { instantQueries } from './queries/instant.ts'
import { jobQueries } from './queries/jobs.ts'
import { listQueries } from './queries/lists.ts'
import { tokenQueries, userQueries } from './queries/people.ts'
import { planQueries } from './queries/plans.ts'
import { redactionQueries } from './queries/redaction.ts'
import { replayQueries } from './queries/replays.ts'
import { retentionQueries } from './queries/retention.ts'
import { rulesetQueries } from './queries/rulesets.ts'
import { samplingQueries } from './queries/sampling.ts'
import { shadowQueries } from './queries/shadows.ts'
import { zoneQueries } from './queries/zones.ts'
import { scrub } from './scrub.ts'
import { checkSeal } from './seal-check.ts'

export interface StoreOptions {
  /** Brings the schema up to date first: the control role's part. The others need it to be. */
  readonly migrate: boolean
  /** For `destination_conf`, which holds credentials. */
  readonly cipher: Cipher
}

/** @throws StoreError `unavailable` when the database does not answer, its schema is not ready or the key is another */
export async function openStore(backend: Backend, options: StoreOptions): Promise<Store> {
  const gate = openGate(backend)
  try {
    await (options.migrate ? migrate(gate, options.cipher) : requireMigrated(gate))
    await gate.read(db => checkSeal(db, options.cipher))
    if (options.migrate && backend.clearRemains !== undefined) await scrub(gate, backend.clearRemains)
  } catch (error) {
    await gate.close().catch(() => {})
    throw error
  }
  return storeOver(gate, options.cipher)
}

function storeOver(gate: Gate, cipher: Cipher): Store {
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
    jobs: jobQueries(gate, cipher),
    delivery: { ...deliveryQueries(gate), ...deliveryReportQueries(gate) },
    replays: replayQueries(gate),
    redaction: redactionQueries(gate),
    sampling: samplingQueries(gate),
    instant: instantQueries(gate),
    crs: crsQueries(gate),
    secrets: secretQueries(gate),
    changes: changeQueries(gate),
    ping: () => ping(gate),
    close: () => gate.close(),
  }
}
