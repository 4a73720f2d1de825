import { Alert, Button, Group, Stack, Text, Title, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useId, useRef, useState } from 'react'
import type { Call } from '../../api/client.ts'
import { deploymentDifferences } from '../../managed/sentences.ts'
import { deployCall } from '../../managed/write.ts'
import { ApiCall } from '../../ui/api-call.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FailureText } from '../../ui/failure-text.tsx'
import { focusContent } from '../../ui/focus-content.ts'
import { AlertIcon } from '../../ui/icons.tsx'
import { Permitted } from '../../ui/permitted.tsx'
import classes from './draft-bar.module.css'
import { useDeploy } from './use-deploy.ts'
import { useDryRun } from './use-dry-run.ts'
import type { Managed } from './use-managed.ts'

const shownMax = 6

/** What the draft changes, in words and as the call that does it, and the button that does it. */
export function DraftBar({ managed }: { readonly managed: Managed }) {
  const { place, changes, ruleset, sentences, discard } = managed
  const call = sentences.length === 0 ? undefined : deployCall(place, changes, ruleset)
  const check = useDryRun(call)
  const deploy = useDeploy(place.zoneId)
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const [opened, setOpened] = useState(!isNarrow)
  const [all, setAll] = useState(false)
  const id = useId()
  const [removing, setRemoving] = useState(false)
  const isShown = call !== undefined
  const wasShown = useRef(isShown)
  useEffect(() => {
    if (wasShown.current && !isShown) focusContent()
    wasShown.current = isShown
  }, [isShown])
  if (call === undefined) return <StaleNote managed={managed} />
  const isRemoval = changes.deployed === false
  // A refusal is about the draft as it was then.
  const refused = JSON.stringify(deploy.variables) === JSON.stringify(call) ? deploy.error : null
  const failure = refused ?? check.error
  const shown = all ? sentences : sentences.slice(0, shownMax)
  const more = sentences.length - shown.length
  return (
    <section aria-label="Draft" className={classes['bar']}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h3">
            <UnstyledButton
              className={classes['title']}
              aria-expanded={opened}
              aria-controls={id}
              onClick={() => setOpened(!opened)}
            >
              {opened ? '▾' : '▸'} Draft:{' '}
              {sentences.length === 1 ? 'one difference' : `${sentences.length} differences`}, not deployed
              yet
            </UnstyledButton>
          </Title>
          <Text size="xs" c="dimmed" role="status">
            {statusText(check)}
          </Text>
        </Group>
        <StaleNote managed={managed} />
        <Stack gap="sm" id={id} hidden={!opened} display={opened ? undefined : 'none'}>
          <ul className={classes['list']} aria-label="What will be different">
            {shown.map(sentence => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          {more > 0 ? (
            <Button variant="subtle" size="compact-sm" w="fit-content" onClick={() => setAll(true)}>
              {more} more
            </Button>
          ) : null}
          <ApiCall call={call} />
        </Stack>
        {failure ? (
          <Alert
            color="red"
            icon={<AlertIcon />}
            role="alert"
            title={refused ? 'Nothing was deployed' : 'The API would refuse this'}
          >
            <FailureText error={failure} />
          </Alert>
        ) : null}
        {/* Not at the right, where notes come: somebody may go on while one is shown. */}
        <Group gap="sm">
          <Permitted needs="zoneWaf write">
            {barred => (
              <Button
                color={isRemoval ? 'red.8' : 'gate'}
                loading={deploy.isPending}
                onClick={() => (isRemoval ? setRemoving(true) : deploy.mutate(call))}
                {...barred}
              >
                {isRemoval ? 'Remove' : 'Deploy'}
              </Button>
            )}
          </Permitted>
          <Button
            variant="default"
            onClick={() => {
              deploy.reset()
              discard()
            }}
          >
            Discard
          </Button>
        </Group>
      </Stack>
      <ConfirmRemoval
        opened={removing}
        call={call}
        pending={deploy.isPending}
        onClose={() => setRemoving(false)}
        onConfirm={() => deploy.mutate(call, { onSettled: () => setRemoving(false) })}
      />
    </section>
  )
}

function statusText({
  accepted,
  checking,
}: {
  readonly accepted: boolean
  readonly checking: boolean
}): string {
  if (checking) return 'The API checks it …'
  return accepted ? 'Checked: the API accepts it' : ''
}

/** Somebody else changed the entry point since the draft was begun. */
function StaleNote({ managed }: { readonly managed: Managed }) {
  const { draft, place, ruleset, rebase } = managed
  const version = place.entryPoint?.version
  if (draft === undefined || draft.baseVersion === version) return null
  const theirs = deploymentDifferences(draft.baseRule, place.rule, ruleset)
  return (
    <Alert color="yellow" icon={<AlertIcon />} title="Somebody changed the rules of this zone meanwhile">
      <Stack gap="xs">
        <Text size="sm">
          {version === undefined ? 'There are none any more.' : `They are at version ${version} by now.`}{' '}
          {theirs.length === 0 ? 'The deployment of this ruleset is as it was.' : theirs.join(' ')} Your draft
          stands on that: what is listed below is what deploying it would still change.
        </Text>
        <Button variant="default" size="compact-sm" w="fit-content" onClick={rebase}>
          I have seen it
        </Button>
      </Stack>
    </Alert>
  )
}

interface RemovalProps {
  readonly opened: boolean
  readonly call: Call
  readonly pending: boolean
  onClose(): void
  onConfirm(): void
}

function ConfirmRemoval(props: RemovalProps) {
  return (
    <ConfirmDialog {...props} title="Remove the managed ruleset?" action="Remove" danger>
      <Text size="sm">
        No request of this zone is inspected by the OWASP rules any more. The settings, with every rule that
        was switched off, stay in History and can be restored from there.
      </Text>
    </ConfirmDialog>
  )
}
