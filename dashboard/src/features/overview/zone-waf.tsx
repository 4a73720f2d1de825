import { isPermission } from '../../api/failure.ts'
import { useRead, useSession } from '../../api/hooks.ts'
import type { Zone } from '../../api/types.ts'
import { useEntryPoint } from '../../domain/ruleset/entry-point.ts'
import { type ManagedRuleset, managedPhase, owaspRulesetId } from '../../domain/ruleset/owasp/document.ts'
import { protectionOf } from '../../domain/ruleset/owasp/summary.ts'
import { StatusDot } from '../../ui/display/status-dot.tsx'
import { TextLink } from '../../ui/page/links.tsx'

/** Managed ruleset of one zone; loaded for visible zones only. */
export function ZoneWaf({ zone }: { readonly zone: Zone }) {
  const path = { account_id: useSession().accountId, ruleset_id: owaspRulesetId }
  const ruleset = useRead('GET /accounts/{account_id}/rulesets/{ruleset_id}', { path }, { staleMs: 600_000 })
  const { data, error } = useEntryPoint(zone.id, managedPhase)
  if (error) return <Faint>{isPermission(error) ? 'Needs Zone WAF Read' : 'Unknown'}</Faint>
  if (data === undefined || ruleset.isPending) return <Faint>…</Faint>
  if (zone.paused) return <StatusDot tone="bad">Zone paused</StatusDot>
  const { word, tone } = protectionOf(data, ruleset.data as unknown as ManagedRuleset | undefined)
  return (
    <TextLink to={`/zones/${zone.id}/managed`} c="inherit" inherit tabIndex={-1}>
      <StatusDot tone={tone}>{word}</StatusDot>
    </TextLink>
  )
}

function Faint({ children }: { readonly children: string }) {
  return <span style={{ color: 'var(--mantine-color-dimmed)' }}>{children}</span>
}
