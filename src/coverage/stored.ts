import { nextTurn } from '../kit/turns.ts'
import type { KeptResource } from '../model/kept-resource.ts'
import { type IdleManagedTransform, idleManagedTransforms } from '../model/managed-transforms.ts'
import type { NotificationPolicy } from '../model/notification.ts'
import type { Json, JsonObject, Rule, Ruleset, RulesetPhase, Scope, Zone } from '../model/resource.ts'
import { zoneSettingTable } from '../model/zone-setting-table/index.ts'
import type { StoredZoneSetting } from '../model/zone-settings.ts'
import { type DataSources, withBuiltInRulesets } from '../rulesets/index.ts'
import type { Store } from '../store/index.ts'
import type { AccessRuleQuery } from '../store/port/access-rules.ts'
import { neverMatches, torKey } from './access-rule.ts'
import { coverDnsRecord, type RecordFacts } from './dns-record.ts'
import { type Coverage, enforced, notEnforced } from './enforcement.ts'
import { coverKept } from './kept/cover.ts'
import { keptKinds } from './kept/table.ts'
import { coverNotificationPolicy } from './notification-policy.ts'
import { coverLeakedCheck, resourceTable } from './resources.ts'
import { coverRuleset, type RulesetSurroundings } from './ruleset.ts'
import { coverZoneSetting } from './zone-setting.ts'

/** Something that is stored in an account or a zone, with its effect. */
export interface StoredItem {
  /** Type of the Terraform resource. */
  readonly type: string
  /** Absent for the resources of a type that all have the same effect, and for settings. */
  readonly id?: string
  /** Of a ruleset. */
  readonly phase?: RulesetPhase
  readonly name: string
  /** The number of resources that the item stands for. */
  readonly count: number
  readonly coverage: Coverage
}

/** Everything that is stored in a zone. Settings that were never written are left out. */
export async function coverZone(
  store: Store,
  { id, accountId }: Zone,
  sources: DataSources,
): Promise<readonly StoredItem[]> {
  const scope: Scope = { kind: 'zone', id }
  const [shared, settings, dns, balancing, firewall, certificates] = await Promise.all([
    coverScope(store, scope, sources),
    store.zoneSettings.list(id),
    store.dnsRecords.list(id),
    store.loadBalancing.read(accountId),
    store.zoneFirewall.read(id),
    store.certificates.list(id),
  ])
  return [
    ...shared,
    // Null: the transform is stored under its other name.
    ...settings.filter(({ value }) => value !== null).map(setting => ofSetting(setting, sources)),
    ...ofRecords(dns),
    ...counted(
      'cloudflare_load_balancer',
      'load balancers',
      balancing.loadBalancers.filter(one => one.zoneId === id).length,
    ),
    ...counted('cloudflare_user_agent_blocking_rule', 'user agent rules', firewall.userAgentRules.length),
    ...counted('cloudflare_zone_lockdown', 'lockdowns', firewall.lockdowns.length),
    ...counted('cloudflare_custom_ssl', 'certificates', certificates.length),
  ]
}

/** Everything that is stored in an account itself. */
export async function coverAccount(
  store: Store,
  id: string,
  sources: DataSources,
): Promise<readonly StoredItem[]> {
  const scope: Scope = { kind: 'account', id }
  const [shared, lists, balancing, notifications] = await Promise.all([
    coverScope(store, scope, sources),
    store.lists.list(id),
    store.loadBalancing.read(id),
    store.notifications.read(id),
  ])
  return [
    ...shared,
    ...counted('cloudflare_list', 'lists', lists.length),
    ...counted('cloudflare_load_balancer_monitor', 'monitors', balancing.monitors.length),
    ...counted('cloudflare_load_balancer_pool', 'pools', balancing.pools.length),
    ...notifications.policies.map(ofNotificationPolicy),
    ...counted('cloudflare_notification_policy_webhooks', 'webhooks', notifications.webhooks.length),
  ]
}

function ofNotificationPolicy(policy: NotificationPolicy): StoredItem {
  const { id, name, alertType, alertInterval = '', filters = {}, mechanisms } = policy
  const document = { alert_type: alertType, alert_interval: alertInterval, filters, mechanisms }
  return {
    type: 'cloudflare_notification_policy',
    id,
    name,
    count: 1,
    coverage: coverNotificationPolicy(document as unknown as JsonObject),
  }
}

/** Only the number of access rules counts. */
const firstAccessRule: AccessRuleQuery = {
  filter: {},
  match: 'all',
  order: 'value',
  direction: 'asc',
  offset: 0,
  limit: 1,
}

/** One item for the rules that act, and one for each reason why rules do not. */
async function accessRulesOf(
  store: Store,
  scope: Scope,
  sources: DataSources,
): Promise<readonly StoredItem[]> {
  const count = async (filter: AccessRuleQuery['filter']) =>
    (await store.accessRules.list(scope, { ...firstAccessRule, filter })).total
  const [all, ofNetworks, ofTor] = await Promise.all([
    count({}),
    count({ target: 'asn' }),
    count({ key: torKey }),
  ])
  const withoutData = neverMatches({ target: 'asn', key: '' }, sources)
  const rows: readonly (readonly [number, string | undefined])[] = [
    [all - ofNetworks - ofTor, undefined],
    [ofNetworks, withoutData],
    [ofTor, neverMatches({ target: 'country', key: torKey }, sources)],
  ]
  const byReason = Map.groupBy(rows, ([, reason]) => reason)
  return [...byReason].flatMap(([reason, alike]) => {
    const total = alike.reduce((sum, [rules]) => sum + rules, 0)
    const coverage = reason === undefined ? enforced : notEnforced(reason)
    const item = { type: 'cloudflare_access_rule', name: 'IP access rules', count: total, coverage }
    return total === 0 ? [] : [item]
  })
}

/** The items that accounts and zones both have. */
async function coverScope(store: Store, scope: Scope, sources: DataSources): Promise<readonly StoredItem[]> {
  const [rulesets, kept, pages, assets, access, jobs, active] = await Promise.all([
    store.rulesets.all(scope),
    store.keptResources.list(scope),
    store.customPages.list(scope),
    store.customAssets.list(scope),
    accessRulesOf(store, scope, sources),
    store.jobs.list(scope),
    store.crs.active(),
  ])
  const release = active === undefined ? [] : await store.crs.managedRulesets(active.version)
  const managed = withBuiltInRulesets(release)
  const custom = rulesets.filter(({ kind }) => kind === 'custom')
  const items: StoredItem[] = []
  for (const ruleset of rulesets) {
    items.push(ofRuleset(ruleset, { managed, custom, sources }))
    // A large ruleset takes a while: other work goes on in between.
    await nextTurn()
  }
  return [
    ...items,
    ...kept.map(ofKept),
    ...counted(
      'cloudflare_custom_pages',
      'custom pages',
      pages.filter(({ state }) => state === 'customized').length,
    ),
    ...counted('cloudflare_custom_page_asset', 'custom page assets', assets.length),
    ...access,
    ...counted('cloudflare_logpush_job', 'Logpush jobs', jobs.length),
  ]
}

function ofRuleset(ruleset: Ruleset, surroundings: RulesetSurroundings): StoredItem {
  const { id, name, kind, phase, scope, rules } = ruleset
  const document = { name, kind, phase, rules: rules.map(sentForm) }
  return {
    type: 'cloudflare_ruleset',
    id,
    phase,
    name: kind === 'custom' ? `${phase}: ${name}` : phase,
    count: 1,
    coverage: coverRuleset(document, scope, surroundings),
  }
}

function sentForm(rule: Rule): JsonObject {
  const { action, expression, description, enabled, logging, ratelimit } = rule
  const members = {
    action,
    expression,
    description,
    enabled,
    logging,
    ratelimit,
    action_parameters: rule.actionParameters,
    exposed_credential_check: rule.exposedCredentialCheck,
  }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JsonObject
}

function ofSetting({ id, value }: StoredZoneSetting, sources: DataSources): StoredItem {
  if (zoneSettingTable.has(id))
    return { type: 'cloudflare_zone_setting', name: id, count: 1, coverage: coverZoneSetting(id, value) }
  const type = storedAsSettings[id]
  if (type === undefined)
    return { type: 'cloudflare_managed_transforms', name: id, count: 1, coverage: coverTransform(id, value) }
  const coverage =
    type === 'cloudflare_leaked_credential_check'
      ? coverLeakedCheck(sources)
      : resourceTable.get(type)!.coverage
  return { type, name: id, count: 1, coverage }
}

function coverTransform(id: string, value: Json): Coverage {
  if (value !== true || !Object.hasOwn(idleManagedTransforms, id)) return enforced
  return notEnforced(idleManagedTransforms[id as IdleManagedTransform])
}

/** Resources that are stored beside the settings, by their name there. The others are managed transforms. */
const storedAsSettings: Readonly<Record<string, string>> = {
  leaked_credential_checks: 'cloudflare_leaked_credential_check',
  leaked_credential_detections: 'cloudflare_leaked_credential_check_rule',
  origin_tls_client_auth: 'cloudflare_authenticated_origin_pulls_settings',
  url_normalization: 'cloudflare_url_normalization_settings',
}

function ofKept(resource: KeptResource): StoredItem {
  const kind = keptKinds.find(known => known.kind === resource.kind)!
  const { name = kind.noun.replace(/^a /, '') } = resource.document
  return {
    type: kind.terraform,
    id: resource.id,
    name: kind.nameOf?.(resource.document) ?? String(name),
    count: 1,
    coverage: coverKept(kind, resource.document),
  }
}

/** Records with the same effect are one item. */
function ofRecords(records: readonly RecordFacts[]): readonly StoredItem[] {
  const byStatus = Map.groupBy(records.map(coverDnsRecord), ({ status }) => status)
  const name = 'DNS records'
  return [...byStatus.values()].map(alike => {
    return { type: 'cloudflare_dns_record', name, count: alike.length, coverage: alike[0]! }
  })
}

function counted(type: string, name: string, count: number): readonly StoredItem[] {
  if (count === 0) return []
  return [{ type, name, count, coverage: resourceTable.get(type)!.coverage }]
}
