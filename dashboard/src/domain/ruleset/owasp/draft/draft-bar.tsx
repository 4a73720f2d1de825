import { Alert, Button, Group, Stack, Text, Title, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useId, useRef, useState } from 'react'
import type { Call } from '../../../../api/client.ts'
import { ConfirmDialog } from '../../../../ui/controls/confirm-dialog.tsx'
import { Permitted } from '../../../../ui/controls/permitted.tsx'
import { ApiCall } from '../../../../ui/display/api-call.tsx'
import { FailureText } from '../../../../ui/display/failure-text.tsx'
import { AlertIcon } from '../../../../ui/display/icons.tsx'
import { focusContent } from '../../../../ui/page/focus-content.ts'
import { deploymentDifferences } from '../sentences.ts'
import { deployCall } from '../write.ts'
import classes from './draft-bar.module.css'
import { useDeploy } from './use-deploy.ts'
import { useDryRun } from './use-dry-run.ts'
import type { Managed } from './use-managed.ts'

const shownMax = 6

/** The changes of the draft, in words and as an API call, with the deploy button. */
export function DraftBar({ managed }: { readonly managed: Managed }) {
  const { context, changes, ruleset, sentences, discard } = managed
  const call = sentences.length === 0 ? undefined : deployCall(context, changes, ruleset)
  const check = useDryRun(call)
  const deploy = useDeploy(context.zoneId)
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const [opened, setOpened] = useState(!isNarrow)
  const id = useId()
  const [all, setAll] = useState(false)
  const [removing, setRemoving] = useState(false)
  useFocusWhenGone(call !== undefined)
  if (call === undefined) return <StaleNote managed={managed} />
  const isRemoval = changes.deployed === false
  // An API error belongs to the draft that was sent.
  const refused = JSON.stringify(deploy.variables) === JSON.stringify(call) ? deploy.error : null
  const failure = refused ?? check.error
  return (
    <section aria-label="Draft" className={classes['bar']}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h3">
            <Toggle opened={opened} controls={id} onToggle={() => setOpened(!opened)}>
              {titleOf(sentences)}
            </Toggle>
          </Title>
          <Text size="xs" c="dimmed" role="status">
            {statusText(check)}
          </Text>
        </Group>
        <StaleNote managed={managed} />
        <Stack gap="sm" id={id} hidden={!opened} display={opened ? undefined : 'none'}>
          <Sentences sentences={sentences} all={all} onAll={() => setAll(true)} />
          <ApiCall call={call} />
        </Stack>
        {failure ? (
          <Failure error={failure} title={refused ? 'Deployment failed' : 'The API rejects this draft'} />
        ) : null}
        {/* Not at the right: notifications would cover the buttons. */}
        <Actions
          isRemoval={isRemoval}
          pending={deploy.isPending}
          onGo={() => (isRemoval ? setRemoving(true) : deploy.mutate(call))}
          onDiscard={() => {
            deploy.reset()
            discard()
          }}
        />
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

interface ToggleProps {
  readonly opened: boolean
  /** Id of the element that it shows and hides. */
  readonly controls: string
  readonly children: string
  onToggle(): void
}

function Toggle({ opened, controls, children, onToggle }: ToggleProps) {
  return (
    <UnstyledButton
      className={classes['title']}
      aria-expanded={opened}
      aria-controls={controls}
      onClick={onToggle}
    >
      {opened ? '▾' : '▸'} {children}
    </UnstyledButton>
  )
}

function titleOf({ length }: readonly string[]): string {
  return `Draft: ${length === 1 ? '1 change' : `${length} changes`}, not deployed`
}

/** Moves the focus to the page content when the bar disappears with its focused button. */
function useFocusWhenGone(isShown: boolean): void {
  const wasShown = useRef(isShown)
  useEffect(() => {
    if (wasShown.current && !isShown) focusContent()
    wasShown.current = isShown
  }, [isShown])
}

interface SentencesProps {
  readonly sentences: readonly string[]
  /** Shows all items instead of the first few. */
  readonly all: boolean
  onAll(): void
}

function Sentences({ sentences, all, onAll }: SentencesProps) {
  const shown = all ? sentences : sentences.slice(0, shownMax)
  const more = sentences.length - shown.length
  return (
    <>
      <ul className={classes['list']} aria-label="Changes">
        {shown.map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {more > 0 ? (
        <Button variant="subtle" size="compact-sm" w="fit-content" onClick={onAll}>
          {more} more
        </Button>
      ) : null}
    </>
  )
}

function Failure({ error, title }: { readonly error: unknown; readonly title: string }) {
  return (
    <Alert color="red" icon={<AlertIcon />} role="alert" title={title}>
      <FailureText error={error} />
    </Alert>
  )
}

interface ActionsProps {
  readonly isRemoval: boolean
  readonly pending: boolean
  onGo(): void
  onDiscard(): void
}

function Actions({ isRemoval, pending, onGo, onDiscard }: ActionsProps) {
  return (
    <Group gap="sm">
      <Permitted needs="zoneWaf write">
        {barred => (
          <Button color={isRemoval ? 'red.8' : 'brand'} loading={pending} onClick={onGo} {...barred}>
            {isRemoval ? 'Remove' : 'Deploy'}
          </Button>
        )}
      </Permitted>
      <Button variant="default" onClick={onDiscard}>
        Discard
      </Button>
    </Group>
  )
}

function statusText({
  accepted,
  checking,
}: {
  readonly accepted: boolean
  readonly checking: boolean
}): string {
  if (checking) return 'Checking …'
  return accepted ? 'Validated by the API' : ''
}

/** Someone else changed the entry point after the draft was started. */
function StaleNote({ managed }: { readonly managed: Managed }) {
  const { draft, context, ruleset, rebase } = managed
  const version = context.entryPoint?.version
  if (draft === undefined || draft.baseVersion === version) return null
  const theirs = deploymentDifferences(draft.baseRule, context.rule, ruleset)
  return (
    <Alert color="yellow" icon={<AlertIcon />} title="Rules changed by someone else">
      <Stack gap="xs">
        <Text size="sm">
          {version === undefined ? 'They were deleted.' : `They are now at version ${version}.`}{' '}
          {theirs.length === 0 ? 'The deployment of this ruleset is unchanged.' : theirs.join(' ')} Your draft
          now applies to that version; the list below shows its remaining changes.
        </Text>
        <Button variant="default" size="compact-sm" w="fit-content" onClick={rebase}>
          Dismiss
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
    <ConfirmDialog {...props} title="Remove managed ruleset?" action="Remove" danger>
      <Text size="sm">
        The OWASP rules no longer inspect requests to this zone. You can restore the settings, including
        disabled rules, from History.
      </Text>
    </ConfirmDialog>
  )
}
