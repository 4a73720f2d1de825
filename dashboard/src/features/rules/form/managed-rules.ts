import { useMemo } from 'react'
import { useRead } from '../../../api/hooks.ts'
import { owaspRulesetId } from '../../../domain/ruleset/owasp/document.ts'

const verdictRuleId = '6179ae15870a4bb7b2d480d4843b323c'

export interface ManagedRules {
  readonly rules: readonly { readonly value: string; readonly label: string }[]
  readonly tags: readonly string[]
}

/** Rules and tags that exceptions can name; undefined while loading, empty without rules or permission. */
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

/** Rulesets that the phase of managed rules can execute. The other managed rulesets are Cloudflare's alone. */
export function useManagedRulesets(zoneId: string): readonly DeployedRuleset[] | undefined {
  const { data } = useRead('GET /zones/{zone_id}/rulesets', {
    path: { zone_id: zoneId },
    query: { per_page: 50 },
  })
  return useMemo(
    () =>
      data
        ?.filter(
          ({ id, kind, phase }) =>
            phase === 'http_request_firewall_managed' && (id === owaspRulesetId || kind === 'custom'),
        )
        .map(({ id, name }) => ({ value: id, label: name })),
    [data],
  )
}
