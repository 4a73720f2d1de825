import type { Kysely } from 'kysely'
import type { Cipher } from '../../kit/cipher.ts'
import type { Schema } from '../schema.ts'
import { initial } from './001-initial.ts'
import { lists } from './002-lists.ts'
import { people } from './003-people.ts'
import { shadows } from './004-shadows.ts'
import { logpull } from './005-logpull.ts'
import { delivery } from './006-delivery.ts'
import { manifests } from './007-manifests.ts'
import { whatIf } from './008-what-if.ts'
import { auditFilters } from './009-audit-filters.ts'
import { deliveryLags } from './010-delivery-lags.ts'
import { batchLines } from './011-batch-lines.ts'
import { revisions } from './012-revisions.ts'
import { changeMarks } from './013-change-marks.ts'
import { zoneSettings } from './014-zone-settings.ts'
import { leases } from './015-leases.ts'
import { releaseYears } from './016-release-years.ts'
import { starts } from './017-starts.ts'
import { certificates } from './018-certificates.ts'
import { acme } from './019-acme.ts'
import { dnsRecords } from './020-dns-records.ts'
import { customPages } from './021-custom-pages.ts'
import { loadBalancing } from './022-load-balancing.ts'
import { originCertificates } from './023-origin-certificates.ts'
import { publicRuleIds } from './024-public-rule-ids.ts'
import { zoneTypes } from './025-zone-types.ts'
import { keptResources } from './026-kept-resources.ts'
import { accessRules } from './027-access-rules.ts'
import { customAssets } from './028-custom-assets.ts'
import { zoneFirewall } from './029-zone-firewall.ts'
import { accessRuleRevisions } from './030-access-rule-revisions.ts'
import { longAddresses } from './031-long-addresses.ts'
import { changeNotices } from './032-change-notices.ts'
import { members } from './033-members.ts'
import { notifications } from './034-notifications.ts'
import { rollout } from './035-rollout.ts'
import { soleWork } from './036-sole-work.ts'

export interface Migration {
  /** Numbered from 1, without gaps; never changed once released. */
  readonly number: number
  readonly name: string
  readonly up: (db: Kysely<Schema>, cipher: Cipher) => Promise<void>
}

export const migrations: readonly Migration[] = [
  { number: 1, name: 'initial', up: initial },
  { number: 2, name: 'lists', up: lists },
  { number: 3, name: 'people', up: people },
  { number: 4, name: 'shadows', up: shadows },
  { number: 5, name: 'logpull', up: logpull },
  { number: 6, name: 'delivery', up: delivery },
  { number: 7, name: 'manifests', up: manifests },
  { number: 8, name: 'what-if', up: whatIf },
  { number: 9, name: 'audit-filters', up: auditFilters },
  { number: 10, name: 'delivery-lags', up: deliveryLags },
  { number: 11, name: 'batch-lines', up: batchLines },
  { number: 12, name: 'revisions', up: revisions },
  { number: 13, name: 'change-marks', up: changeMarks },
  { number: 14, name: 'zone-settings', up: zoneSettings },
  { number: 15, name: 'leases', up: leases },
  { number: 16, name: 'release-years', up: releaseYears },
  { number: 17, name: 'starts', up: starts },
  { number: 18, name: 'certificates', up: certificates },
  { number: 19, name: 'acme', up: acme },
  { number: 20, name: 'dns-records', up: dnsRecords },
  { number: 21, name: 'custom-pages', up: customPages },
  { number: 22, name: 'load-balancing', up: loadBalancing },
  { number: 23, name: 'origin-certificates', up: originCertificates },
  { number: 24, name: 'public-rule-ids', up: publicRuleIds },
  { number: 25, name: 'zone-types', up: zoneTypes },
  { number: 26, name: 'kept-resources', up: keptResources },
  { number: 27, name: 'access-rules', up: accessRules },
  { number: 28, name: 'custom-assets', up: customAssets },
  { number: 29, name: 'zone-firewall', up: zoneFirewall },
  { number: 30, name: 'access-rule-revisions', up: accessRuleRevisions },
  { number: 31, name: 'long-addresses', up: longAddresses },
  { number: 32, name: 'change-notices', up: changeNotices },
  { number: 33, name: 'members', up: members },
  { number: 34, name: 'notifications', up: notifications },
  { number: 35, name: 'rollout', up: rollout },
  { number: 36, name: 'sole-work', up: soleWork },
]
