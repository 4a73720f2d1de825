import type { JsonObject } from '../model/resource.ts'
import type { DataSources } from '../rulesets/index.ts'
import { coverPlannedAccessRule } from './access-rule.ts'
import { coverDnsRecord } from './dns-record.ts'
import { type Coverage, enforced, reasonOf, unknown } from './enforcement.ts'
import { coverKept } from './kept/cover.ts'
import { keptKinds } from './kept/table.ts'
import { coverNotificationPolicy } from './notification-policy.ts'
import { type PlannedResource, readPlan } from './plan-document.ts'
import { coverPlannedBalancer, coverPlannedMonitor, coverPlannedPool } from './planned-balancing.ts'
import { coverPlannedCertificate } from './planned-certificate.ts'
import { coverPlannedJob } from './planned-job.ts'
import { coverPlannedRuleset } from './planned-ruleset.ts'
import { coverPlannedTransforms } from './planned-transforms.ts'
import { coverLeakedCheck, formerNames, resourceTable } from './resources.ts'
import { coverZoneSetting } from './zone-setting.ts'

/** A resource of Cloudflare's in a Terraform plan or state. */
export interface CoveredResource {
  readonly address: string
  readonly type: string
  readonly coverage: Coverage
}

export interface PlanCoverage {
  readonly resources: readonly CoveredResource[]
  /** Resources of other providers, which are not looked at. */
  readonly others: number
}

/**
 * The effect that each resource of a plan or state will have here.
 * @param text the output of `terraform show -json`
 * @param sources of the installation that the plan is for
 * @throws PlanError
 */
export function coverPlan(text: string, sources: DataSources): PlanCoverage {
  const all = readPlan(text)
  const ofCloudflare = all.filter(({ type }) => type.startsWith('cloudflare_'))
  return {
    resources: ofCloudflare.map(resource => ({
      address: resource.address,
      type: resource.type,
      coverage: coverResource(resource, sources),
    })),
    others: all.length - ofCloudflare.length,
  }
}

function coverResource({ type, values }: PlannedResource, sources: DataSources): Coverage {
  if (type === 'cloudflare_ruleset') return coverPlannedRuleset(values, sources)
  if (type === 'cloudflare_zone_setting')
    return coverZoneSetting(String(values['setting_id']), values['value'] ?? null)
  if (type === 'cloudflare_dns_record' || type === 'cloudflare_record')
    return coverDnsRecord({ type: values['type'], proxied: values['proxied'] })
  if (type === 'cloudflare_zone_settings_override') return coverSettings(values)
  const kept = keptKinds.find(({ terraform }) => terraform === type)
  if (kept !== undefined) {
    const document = kept.fromTerraform?.(values) ?? membersOf(values, Object.keys(kept.body.properties))
    return coverKept(kept, document)
  }
  const name = formerNames[type] ?? type
  const coverage = byValues.get(name)?.(values, sources) ?? resourceTable.get(name)?.coverage
  return coverage ?? unknown('Sluice does not have this resource: an apply fails')
}

type CoverValues = (values: JsonObject, sources: DataSources) => Coverage | undefined

/** Types with values that an apply refuses; undefined: the table of resources decides. */
const byValues: ReadonlyMap<string, CoverValues> = new Map<string, CoverValues>([
  ['cloudflare_access_rule', coverPlannedAccessRule],
  ['cloudflare_authenticated_origin_pulls', coverPlannedOriginPulls],
  ['cloudflare_custom_ssl', coverPlannedCertificate],
  ['cloudflare_notification_policy', coverNotificationPolicy],
  ['cloudflare_leaked_credential_check', (_, sources) => coverLeakedCheck(sources)],
  ['cloudflare_load_balancer', coverPlannedBalancer],
  ['cloudflare_load_balancer_monitor', coverPlannedMonitor],
  ['cloudflare_load_balancer_pool', coverPlannedPool],
  ['cloudflare_logpush_job', coverPlannedJob],
  ['cloudflare_managed_transforms', coverPlannedTransforms],
])

/** Without a host name, the resource of version 4 is the setting of the zone. An unknown one is left out of a plan. */
function coverPlannedOriginPulls({ hostname, config }: JsonObject): Coverage | undefined {
  return hostname === null && config === undefined ? enforced : undefined
}

/** `cloudflare_zone_settings_override` of version 4: each setting is a member of a block. */
function coverSettings({ settings }: JsonObject): Coverage {
  const block = (Array.isArray(settings) ? settings[0] : settings) as JsonObject | undefined
  const idle = Object.entries(block ?? {}).flatMap(([name, value]) => {
    if (value === null || (Array.isArray(value) && value.length === 0)) return []
    const sent = Array.isArray(value) && typeof value[0] === 'object' ? value[0]! : value
    const coverage =
      name === 'security_header'
        ? coverZoneSetting(name, { strict_transport_security: sent })
        : coverZoneSetting(name === 'zero_rtt' ? '0rtt' : name, sent)
    return coverage.status === 'enforced' ? [] : [`${name}: ${reasonOf(coverage)}`]
  })
  if (idle.length === 0) return enforced
  return { status: 'partly', how: idle.join('; ') }
}

function membersOf(values: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap(name => {
      const value = values[name]
      return value === undefined || value === null ? [] : [[name, value]]
    }),
  )
}
