import { Alert, Button, Group, NativeSelect, Stack, Switch } from '@mantine/core'
import { useMay } from '../../api/permissions.ts'
import { messagesAt } from '../../domain/expression/index.ts'
import { DraftBar } from '../../domain/ruleset/owasp/draft/draft-bar.tsx'
import { ManagedFrame } from '../../domain/ruleset/owasp/draft/managed-frame.tsx'
import { useDryRun } from '../../domain/ruleset/owasp/draft/use-dry-run.ts'
import type { Managed } from '../../domain/ruleset/owasp/draft/use-managed.ts'
import { scopeText } from '../../domain/ruleset/owasp/sentences.ts'
import { deployCall } from '../../domain/ruleset/owasp/write.ts'
import { useUrlState } from '../../ui/address/use-url-state.ts'
import { AlertIcon } from '../../ui/display/icons.tsx'
import { LinkButton } from '../../ui/page/links.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { EmptyState } from '../../ui/page/states.tsx'
import { ActionSection } from './action-section.tsx'
import { LevelSection } from './level-section.tsx'
import classes from './managed-page.module.css'
import { PayloadSection } from './payload-section.tsx'
import { ReleaseSection } from './release-section.tsx'
import { ScopeSection } from './scope-section.tsx'
import { ThresholdSection } from './threshold-section.tsx'

export default function ManagedPage() {
  return <ManagedFrame>{managed => <Content managed={managed} />}</ManagedFrame>
}

function Content({ managed }: { readonly managed: Managed }) {
  const { base, settings, change, context } = managed
  const { may, reason } = useMay('zoneWaf write')
  return (
    <>
      <PageHeader
        title="Managed ruleset"
        text="The OWASP Core Rule Set: each matching rule adds to a request’s score, and the action applies at the threshold. Changes stay a draft until you deploy them."
        actions={
          <>
            <LinkButton to={`/zones/${context.zoneId}/owasp-rules`} variant="default">
              Browse rules
            </LinkButton>
            {base.deployed && settings.deployed ? (
              <Button variant="default" disabled={!may} onClick={() => managed.replace({ deployed: false })}>
                Remove
              </Button>
            ) : null}
          </>
        }
      />
      {may ? null : (
        <Alert color="yellow" icon={<AlertIcon />} mb="md" title="Read-only">
          {reason}
        </Alert>
      )}
      {settings.deployed ? (
        <Form managed={managed} disabled={!may} />
      ) : (
        <EmptyState
          title={base.deployed ? 'Ruleset will be removed' : 'Ruleset not deployed'}
          text={
            base.deployed
              ? 'It stays enabled until you deploy this draft.'
              : 'Requests to this zone are not inspected. The initial settings are PL4, threshold Medium and action Block; you can change them before you deploy.'
          }
          action={
            <Button
              disabled={!may}
              onClick={() => (base.deployed ? managed.discard() : change({ deployed: true }))}
            >
              {base.deployed ? 'Keep ruleset' : 'Set up ruleset'}
            </Button>
          }
        />
      )}
      <DraftBar managed={managed} />
    </>
  )
}

function Form({ managed, disabled }: { readonly managed: Managed; readonly disabled: boolean }) {
  const { settings, ruleset, change } = managed
  return (
    <Stack gap="md">
      <WhichDeployment managed={managed} />
      <Switch
        label="Ruleset enabled"
        description="Disabled: requests are not inspected; settings are kept."
        checked={settings.enabled}
        disabled={disabled}
        onChange={event => change({ enabled: event.currentTarget.checked })}
      />
      <div className={classes['columns']}>
        <Stack gap="md">
          <LevelSection {...{ settings, ruleset, disabled }} onChange={level => change({ level })} />
          <ThresholdSection
            threshold={settings.threshold}
            disabled={disabled}
            onChange={threshold => change({ threshold })}
          />
          <ActionSection
            action={settings.action}
            acts={settings.acts}
            disabled={disabled}
            onChange={action => change({ action })}
            onAct={() => change({ acts: true })}
          />
        </Stack>
        <Stack gap="md">
          <ScopeSection
            expression={settings.expression}
            disabled={disabled}
            faults={useExpressionFaults(managed)}
            onChange={expression => change({ expression })}
          />
          <PayloadSection
            publicKey={settings.publicKey}
            disabled={disabled}
            onChange={publicKey => change({ publicKey })}
          />
          <ReleaseSection
            version={settings.version}
            latestVersion={managed.latestVersion}
            versions={managed.versions}
            isGone={managed.isVersionGone}
            disabled={disabled}
            onChange={version => change({ version })}
          />
        </Stack>
      </div>
    </Stack>
  )
}

/** API errors about the draft's expression; shares the draft's dry run. */
function useExpressionFaults({ context, changes, ruleset, sentences }: Managed): readonly string[] {
  const { error } = useDryRun(sentences.length === 0 ? undefined : deployCall(context, changes, ruleset))
  // In a new entry point the rule is the first one.
  return [...messagesAt(error, '/expression'), ...messagesAt(error, '/rules/0/expression')]
}

/** Nearly every zone deploys the ruleset once. */
function WhichDeployment({ managed }: { readonly managed: Managed }) {
  const { deployments, context, discard } = managed
  const [, setNamed] = useUrlState('deployment')
  if (deployments.length < 2) return null
  return (
    <Group>
      <NativeSelect
        label="Deployment"
        description="This zone deploys the ruleset more than once."
        value={context.rule?.id ?? ''}
        onChange={event => {
          discard()
          setNamed(event.currentTarget.value)
        }}
        data={deployments.map((rule, index) => ({
          value: rule.id ?? '',
          label: `${index + 1}. ${rule.description || scopeText(rule.expression)}`,
        }))}
      />
    </Group>
  )
}
