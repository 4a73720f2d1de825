import { useQuery } from '@tanstack/react-query'
import { send } from '../../api/client.ts'
import { type ManagedRuleset, owaspRulesetId } from '../../domain/ruleset/owasp/document.ts'
import { type HistoryScope, pathOf } from './use-rulesets.ts'

/** The managed ruleset, which names its rules; undefined until loaded. */
export function useManagedNames(scope: HistoryScope, isNeeded: boolean): ManagedRuleset | undefined {
  const path = `${pathOf(scope)}/${owaspRulesetId}`
  const { data } = useQuery({
    queryKey: ['managed names', path],
    queryFn: async ({ signal }) => (await send<ManagedRuleset>({ method: 'GET', path }, signal)).result,
    enabled: isNeeded,
    staleTime: 60_000,
  })
  return data
}
