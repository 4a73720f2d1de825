import type { Cipher } from '../kit/cipher.ts'
import { migrate, requireMigrated } from './migrations/migrate.ts'
import type { Store } from './port.ts'
import { accountQueries } from './queries/accounts.ts'
import { acmeQueries } from './queries/acme.ts'
import { auditQueries } from './queries/audit.ts'
import { changeQueries } from './queries/changes.ts'
import { crsQueries } from './queries/crs.ts'
import { deliveryQueries } from './queries/delivery/delivery.ts'
import { instantQueries } from './queries/delivery/instant.ts'
import { jobQueries } from './queries/delivery/jobs.ts'
import { leaseQueries } from './queries/delivery/leases.ts'
import { replayQueries } from './queries/delivery/replays.ts'
import { deliveryReportQueries } from './queries/delivery/reports.ts'
import { ping, secretQueries } from './queries/installation.ts'
import { listQueries } from './queries/lists/lists.ts'
import { logQueries } from './queries/logs.ts'
import { notificationQueries } from './queries/notifications.ts'
import { memberQueries } from './queries/people/members.ts'
import { sessionQueries } from './queries/people/sessions.ts'
import { tokenQueries } from './queries/people/tokens.ts'
import { userQueries } from './queries/people/users.ts'
import { rolloutQueries } from './queries/rollout.ts'
import { rulesetQueries } from './queries/rulesets.ts'
import { soleWorkQueries } from './queries/sole-work.ts'
import { accessRuleQueries } from './queries/zones/access-rules.ts'
import { certificateQueries } from './queries/zones/certificates.ts'
import { customAssetQueries } from './queries/zones/custom-assets.ts'
import { customPageQueries } from './queries/zones/custom-pages.ts'
import { dnsRecordQueries } from './queries/zones/dns-records.ts'
import { keptResourceQueries } from './queries/zones/kept-resources.ts'
import { loadBalancingQueries } from './queries/zones/load-balancers.ts'
import { originCertificateQueries } from './queries/zones/origin-certificates.ts'
import { planQueries } from './queries/zones/plans.ts'
import { redactionQueries } from './queries/zones/redaction.ts'
import { retentionQueries } from './queries/zones/retention.ts'
import { samplingQueries } from './queries/zones/sampling.ts'
import { zoneSettingQueries } from './queries/zones/settings.ts'
import { shadowQueries } from './queries/zones/shadows.ts'
import { zoneFirewallQueries } from './queries/zones/zone-firewall.ts'
import { zoneQueries } from './queries/zones/zones.ts'
import { scrub } from './scrub.ts'
import { checkSeal } from './seal-check.ts'
import { type Backend, openTransactions, type Transactions } from './transactions.ts'

export interface StoreOptions {
  /** Brings the schema up to date first, which is the control role's task. The other roles require it. */
  readonly migrate: boolean
  /** Opens also while the database does not answer. It is checked before the first call that it answers. */
  readonly isAway?: boolean
  /** Encrypts `destination_conf`, which holds credentials, the keys of certificates, those of ACME, those of one-time codes, and webhooks. */
  readonly cipher: Cipher
}

/** @throws StoreError `unavailable` when the database does not answer, its schema is not ready or the key differs */
export async function openStore(backend: Backend, options: StoreOptions): Promise<Store> {
  const transactions = openTransactions(backend)
  const { cipher } = options
  const check = async () => {
    await (options.migrate ? migrate(transactions, cipher) : requireMigrated(transactions))
    await transactions.read(db => checkSeal(db, cipher))
  }
  if (options.isAway === true) return storeOver(transactions, cipher, backend, checkedOnce(check))
  try {
    await check()
    if (options.migrate && backend.clearRemains !== undefined) await scrub(transactions, backend.clearRemains)
  } catch (error) {
    await transactions.close().catch(() => {})
    throw error
  }
  return storeOver(transactions, cipher, backend)
}

/** Repeats a check that fails, at the next call. */
function checkedOnce(check: () => Promise<void>): () => Promise<void> {
  let checked: Promise<void> | undefined
  return () => {
    checked ??= check().catch(error => {
      checked = undefined
      throw error
    })
    return checked
  }
}

function checkedFirst(transactions: Transactions, check: () => Promise<void>): Transactions {
  return {
    ...transactions,
    read: work => check().then(() => transactions.read(work)),
    write: (held, work) => check().then(() => transactions.write(held, work)),
  }
}

function storeOver(
  unchecked: Transactions,
  cipher: Cipher,
  backend: Backend,
  check?: () => Promise<void>,
): Store {
  const { notices } = backend
  const afterCheck = (opened: Transactions) => (check === undefined ? opened : checkedFirst(opened, check))
  const transactions = afterCheck(unchecked)
  const reading = notices && afterCheck(openTransactions({ ...backend, dialect: notices.dialect }))
  return {
    accounts: accountQueries(transactions),
    users: userQueries(transactions, cipher),
    members: memberQueries(transactions, cipher),
    sessions: sessionQueries(transactions),
    tokens: tokenQueries(transactions),
    zones: zoneQueries(transactions),
    rulesets: rulesetQueries(transactions),
    plans: planQueries(transactions, cipher),
    shadows: shadowQueries(transactions),
    retention: retentionQueries(transactions),
    lists: listQueries(transactions),
    audit: auditQueries(transactions),
    jobs: jobQueries(transactions, cipher),
    delivery: { ...deliveryQueries(transactions), ...deliveryReportQueries(transactions) },
    leases: leaseQueries(transactions),
    logs: logQueries(transactions),
    replays: replayQueries(transactions),
    redaction: redactionQueries(transactions),
    zoneSettings: zoneSettingQueries(transactions),
    certificates: certificateQueries(transactions, cipher),
    dnsRecords: dnsRecordQueries(transactions),
    customAssets: customAssetQueries(transactions),
    customPages: customPageQueries(transactions),
    accessRules: accessRuleQueries(transactions),
    zoneFirewall: zoneFirewallQueries(transactions),
    originCertificates: originCertificateQueries(transactions, cipher),
    loadBalancing: loadBalancingQueries(transactions, cipher),
    keptResources: keptResourceQueries(transactions),
    notifications: notificationQueries(transactions, cipher),
    sampling: samplingQueries(transactions),
    instant: instantQueries(transactions),
    crs: crsQueries(transactions),
    acme: acmeQueries(transactions, cipher),
    soleWork: soleWorkQueries(transactions),
    rollout: rolloutQueries(transactions, reading ?? transactions),
    secrets: secretQueries(transactions),
    changes: {
      ...changeQueries(reading ?? transactions),
      ...(notices === undefined ? {} : { onNotice: callback => notices.onNotice(callback) }),
    },
    ping: () => ping(transactions),
    async close() {
      await Promise.all([transactions.close(), reading?.close()])
    },
  }
}
