import { isPermission } from '../../api/failure.ts'
import { useRead, useSession } from '../../api/hooks.ts'
import {
  type ExecuteRule,
  type ManagedRuleset,
  managedPhase,
  owaspRulesetId,
} from '../../domain/ruleset/owasp/document.ts'
import { levelOf, readSettings } from '../../domain/ruleset/owasp/settings.ts'
import { actionLabel, thresholdLabel } from '../../domain/ruleset/owasp/words.ts'
import { Figure } from '../../ui/page/figure.tsx'
import { TextLink } from '../../ui/page/links.tsx'

const entryPointKey = 'GET /zones/{zone_id}/rulesets/phases/{phase}/entrypoint'

/** Deployment of the OWASP managed ruleset in a zone. */
export function ManagedFigure({ zoneId }: { readonly zoneId: string }) {
  const { accountId } = useSession()
  const entryPoint = useRead(entryPointKey, { path: { zone_id: zoneId, phase: managedPhase } })
  const rules = (entryPoint.data?.rules ?? []) as unknown as readonly ExecuteRule[]
  const rule = rules.find(one => one.action === 'execute' && one.action_parameters.id === owaspRulesetId)
  const ruleset = useRead(
    'GET /accounts/{account_id}/rulesets/{ruleset_id}',
    { path: { account_id: accountId, ruleset_id: owaspRulesetId } },
    { enabled: rule !== undefined, staleMs: 600_000 },
  )
  const label = 'Managed ruleset'
  const error = entryPoint.error
  if (error !== null && isPermission(error))
    return <Figure label={label} value="–" note="Needs Zone WAF Read" />
  // 404 without an entry point: not deployed.
  if (entryPoint.isPending) return <Figure label={label} value={undefined} />
  const to = `/zones/${zoneId}/managed`
  if (rule === undefined)
    return <Figure label={label} value="Disabled" tone="warn" note={<TextLink to={to}>Deploy</TextLink>} />
  if (rule.enabled === false)
    return <Figure label={label} value="Disabled" tone="warn" note={<TextLink to={to}>Enable</TextLink>} />
  if (ruleset.data === undefined)
    return (
      <Figure
        label={label}
        value={ruleset.isError ? 'Enabled' : undefined}
        note={<TextLink to={to}>Configure</TextLink>}
      />
    )
  const settings = readSettings(rule, ruleset.data as unknown as ManagedRuleset)
  const level = levelOf(settings)
  return (
    <Figure
      label={label}
      value={`${level === undefined ? 'Enabled' : `PL${level}`}, ${actionLabel(settings.action)}`}
      tone="good"
      note={
        <>
          Threshold {thresholdLabel(settings.threshold)}.{' '}
          <TextLink to={to} inherit underline="always">
            Configure
          </TextLink>
        </>
      }
    />
  )
}
