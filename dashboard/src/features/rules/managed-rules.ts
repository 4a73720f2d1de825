import { useMemo } from 'react'
import { useRead } from '../../api/hooks.ts'

/** The managed ruleset of the phase, whose rules exceptions name. */
export const owaspRulesetId = '4814384a9e5d4991b9815dcfc25d2f1f'
const verdictRuleId = '6179ae15870a4bb7b2d480d4843b323c'

export interface ManagedRules {
  readonly rules: readonly { readonly value: string; readonly label: string }[]
  readonly tags: readonly string[]
}

/** Its rules and tags; undefined while they are read, and empty when there are none or they may not be read. */
export function useManagedRules(zoneId: string): ManagedRules | undefined {
  const path = { zone_id: zoneId, ruleset_id: owaspRulesetId }
  const { data, isError } = useRead(
    'GET /zones/{zone_id}/rulesets/{ruleset_id}',
    { path },
    { staleMs: 600_000 },
  )
  return useMemo(() => {
    if (isError) return { rules: [], tags: [] }
    if (data === undefined) return undefined
    const rules = data.rules as readonly {
      readonly id: string
      readonly description?: string
      readonly categories?: readonly string[]
    }[]
    return {
      rules: rules
        .filter(({ id }) => id !== verdictRuleId)
        .map(({ id, description }) => ({ value: id, label: description ?? id })),
      tags: [...new Set(rules.flatMap(({ categories = [] }) => categories))].sort(),
    }
  }, [data, isError])
}

export interface DeployedRuleset {
  readonly value: string
  readonly label: string
}

/** Rulesets that can be executed in the phase of managed rules. */
export function useManagedRulesets(zoneId: string): readonly DeployedRuleset[] | undefined {
  const { data } = useRead('GET /zones/{zone_id}/rulesets', {
    path: { zone_id: zoneId },
    query: { per_page: 50 },
  })
  return useMemo(
    () =>
      data
        ?.filter(
          ({ kind, phase }) =>
            phase === 'http_request_firewall_managed' && (kind === 'managed' || kind === 'custom'),
        )
        .map(({ id, name }) => ({ value: id, label: name })),
    [data],
  )
}
