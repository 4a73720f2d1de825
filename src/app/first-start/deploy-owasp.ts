import { rulesetToWire } from '../../api/index.ts'
import { timestampOf } from '../../kit/clock.ts'
import { newId } from '../../kit/ids.ts'
import type { JsonObject } from '../../model/resource.ts'
import { owaspRequestRulesetId, replaceEntryPoint } from '../../rulesets/index.ts'
import type { Store } from '../../store/index.ts'
import type { SystemAudit } from '../system-audit.ts'

const phase = 'http_request_firewall_managed'

/** The ruleset with its defaults, as the dashboard deploys it to a new zone. */
export const owaspDefaults: JsonObject = {
  rules: [
    {
      action: 'execute',
      expression: 'true',
      action_parameters: { id: owaspRequestRulesetId, version: 'latest' },
    },
  ],
}

/**
 * Deploys the managed OWASP ruleset to a zone that has no managed rules yet.
 * @param document body of the zone's entry point
 * @returns false if the zone already has an entry point, which stays
 * @throws Error if no release was imported, or the document is invalid
 */
export async function deployOwasp(
  store: Store,
  zoneId: string,
  document: JsonObject,
  audit: SystemAudit,
): Promise<boolean> {
  const scope = { kind: 'zone', id: zoneId } as const
  if ((await store.rulesets.entryPoint(scope, phase)) !== undefined) return false
  const release = await store.crs.active()
  if (release === undefined) throw new Error('no OWASP CRS release was imported yet')
  const managed = await store.crs.managedRulesets(release.version)
  const entryPoint = replaceEntryPoint(undefined, phase, document, {
    scope,
    now: timestampOf(Date.now()),
    newId,
    managed: wanted => managed.find(ruleset => ruleset.id === wanted),
    custom: () => undefined,
    lists: () => undefined,
    hasRedirectList: () => false,
  })
  if (!entryPoint.ok) throw new Error(entryPoint.problem.message)
  const { value } = entryPoint
  const resource = { kind: 'ruleset', id: value.id }
  const change = { action: 'create', resource, before: null, after: rulesetToWire(value), zoneId } as const
  await store.rulesets.insert(value, audit.entry(change))
  return true
}
