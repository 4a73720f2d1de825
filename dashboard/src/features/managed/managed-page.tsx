import { Alert, Button, Group, NativeSelect, Stack, Switch } from '@mantine/core'
import { useMay } from '../../api/permissions.ts'
import { messagesAt } from '../../expression/index.ts'
import { scopeText } from '../../managed/sentences.ts'
import { deployCall } from '../../managed/write.ts'
import { AlertIcon } from '../../ui/icons.tsx'
import { LinkButton } from '../../ui/links.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { ActionSection } from './action-section.tsx'
import { DraftBar } from './draft-bar.tsx'
import { LevelSection } from './level-section.tsx'
import { ManagedFrame } from './managed-frame.tsx'
import classes from './managed-page.module.css'
import { PayloadSection } from './payload-section.tsx'
import { ReleaseSection } from './release-section.tsx'
import { ScopeSection } from './scope-section.tsx'
import { ThresholdSection } from './threshold-section.tsx'
import { useDryRun } from './use-dry-run.ts'
import type { Managed } from './use-managed.ts'

export default function ManagedPage() {
  return <ManagedFrame>{managed => <Content managed={managed} />}</ManagedFrame>
}

function Content({ managed }: { readonly managed: Managed }) {
  const { base, settings, change, place } = managed
  const { may, reason } = useMay('zoneWaf write')
  return (
    <>
      <PageHeader
        title="Managed ruleset"
        text="The rules of the OWASP Core Rule Set: each one that matches a request adds to its score, and at a threshold an action is taken. Changes are a draft until you deploy them."
        actions={
          <>
            <LinkButton to={`/zones/${place.zoneId}/owasp-rules`} variant="default">
              Rules
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
        <Alert color="yellow" icon={<AlertIcon />} mb="md" title="You can look, and not change">
          {reason}
        </Alert>
      )}
      {settings.deployed ? (
        <Form managed={managed} disabled={!may} />
      ) : (
        <EmptyState
          title={base.deployed ? 'The ruleset will be removed' : 'The ruleset is not deployed'}
          text={
            base.deployed
              ? 'It is still at work until you deploy this draft.'
              : 'No request of this zone is inspected by it. It begins with PL4, threshold Medium and action Block; change what you like before you deploy it.'
          }
          action={
            <Button
              disabled={!may}
              onClick={() => (base.deployed ? managed.discard() : change({ deployed: true }))}
            >
              {base.deployed ? 'Keep it' : 'Set it up'}
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
        label="The ruleset is at work"
        description="Off: it inspects nothing, and its settings stay."
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

/** What the API says about the expression of the draft; the same question as the draft's own, so it is asked once. */
function useExpressionFaults({ place, changes, ruleset, sentences }: Managed): readonly string[] {
  const { error } = useDryRun(sentences.length === 0 ? undefined : deployCall(place, changes, ruleset))
  // A new entry point names the rule as its first one.
  return [...messagesAt(error, '/expression'), ...messagesAt(error, '/rules/0/expression')]
}

/** A zone usually deploys the ruleset once. */
function WhichDeployment({ managed }: { readonly managed: Managed }) {
  const { deployments, place, discard } = managed
  const [, setNamed] = useUrlState('deployment')
  if (deployments.length < 2) return null
  return (
    <Group>
      <NativeSelect
        label="Deployment"
        description="This zone deploys the ruleset more than once."
        value={place.rule?.id ?? ''}
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
