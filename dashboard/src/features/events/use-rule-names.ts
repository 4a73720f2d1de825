import { useMemo } from 'react'
import { useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/permissions.ts'
import type { SecurityEvent } from '../../api/types.ts'
import { useEntryPoint } from '../../domain/ruleset/entry-point.ts'
import { owaspRulesetId } from '../../domain/ruleset/owasp/document.ts'
import { checkName } from '../../domain/ruleset/phase-name.ts'

/** The display name of a rule; its id when unknown. */
export type RuleNames = (ruleId: string) => string

interface Named {
  readonly id: string
  readonly description?: string
}

/** Names of the zone's rules and of managed rules; events supply the others. */
export function useRuleNames(zoneId: string, events: readonly SecurityEvent[]): RuleNames {
  const { may } = useMay('zoneWaf read')
  const managed = useRead(
    'GET /zones/{zone_id}/rulesets/{ruleset_id}',
    { path: { zone_id: zoneId, ruleset_id: owaspRulesetId } },
    { staleMs: 600_000, enabled: may },
  )
  const custom = useEntryPoint(zoneId, 'http_request_firewall_custom')
  const limits = useEntryPoint(zoneId, 'http_ratelimit')
  const known = useMemo(() => {
    const names = new Map<string, string>()
    for (const ruleset of [managed.data, custom.data, limits.data])
      for (const { id, description } of (ruleset?.rules ?? []) as readonly Named[])
        if (description) names.set(id, description)
    return names
  }, [managed.data, custom.data, limits.data])
  const told = useMemo(
    () => new Map(events.map(event => [event.rule_id, event.description || (checkName(event.source) ?? '')])),
    [events],
  )
  return useMemo(() => id => known.get(id) || told.get(id) || id, [known, told])
}
