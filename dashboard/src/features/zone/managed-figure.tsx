import { isPermission } from '../../api/failure.ts'
import { useRead, useSession } from '../../api/hooks.ts'
import {
  type ExecuteRule,
  type ManagedRuleset,
  managedPhase,
  owaspRulesetId,
} from '../../managed/document.ts'
import { levelOf, readSettings } from '../../managed/settings.ts'
import { actionLabel, thresholdLabel } from '../../managed/words.ts'
import { Figure } from '../../ui/figure.tsx'
import { TextLink } from '../../ui/links.tsx'

const entryPointKey = 'GET /zones/{zone_id}/rulesets/phases/{phase}/entrypoint'

/** How the managed OWASP ruleset is deployed to a zone. */
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
  // Without an entry point nothing was deployed yet: 404.
  if (entryPoint.isPending) return <Figure label={label} value={undefined} />
  const to = `/zones/${zoneId}/managed`
  if (rule === undefined)
    return <Figure label={label} value="Off" tone="warn" note={<TextLink to={to}>Deploy it</TextLink>} />
  if (rule.enabled === false)
    return (
      <Figure
        label={label}
        value="Off"
        tone="warn"
        note={<TextLink to={to}>Its rule is disabled</TextLink>}
      />
    )
  if (ruleset.data === undefined)
    return (
      <Figure
        label={label}
        value={ruleset.isError ? 'On' : undefined}
        note={<TextLink to={to}>Tune it</TextLink>}
      />
    )
  const settings = readSettings(rule, ruleset.data as unknown as ManagedRuleset)
  const level = levelOf(settings)
  return (
    <Figure
      label={label}
      value={`${level === undefined ? 'On' : `PL${level}`}, ${actionLabel(settings.action)}`}
      tone="good"
      note={
        <>
          from a score of {thresholdLabel(settings.threshold)}.{' '}
          <TextLink to={to} inherit underline="always">
            Tune it
          </TextLink>
        </>
      }
    />
  )
}
