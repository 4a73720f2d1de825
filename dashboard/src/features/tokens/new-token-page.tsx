import { Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useMemo, useState } from 'react'
import { describeCall } from '../../api/client.ts'
import { ApiFailure } from '../../api/failure.ts'
import { useChange, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/permissions.ts'
import type { PermissionGroup } from '../../api/types.ts'
import { ApiCall } from '../../ui/api-call.tsx'
import { LinkButton } from '../../ui/links.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Permitted } from '../../ui/permitted.tsx'
import { Section } from '../../ui/section.tsx'
import { FailureState } from '../../ui/states.tsx'
import { ConditionsFields } from './conditions-fields.tsx'
import { emptyDraft, missingOf, needsZones, type TokenDraft, tokenBody } from './draft.ts'
import { PermissionPicker } from './permission-picker.tsx'
import { everythingGroup, permissionRows } from './permission-rows.ts'
import { at, changedByTokens, type TokenScope, useTokenScope } from './scope.ts'
import { ValueDialog } from './value-dialog.tsx'
import { ZoneChooser } from './zone-chooser.tsx'

/** Makes a token: what it may do, where, until when and from where. */
export default function NewTokenPage() {
  const [scope] = useTokenScope()
  const { accountId } = scope
  const groups = useRead(
    at(scope, 'GET /accounts/{account_id}/tokens/permission_groups'),
    { path: { account_id: accountId } },
    { staleMs: 60_000 },
  )
  return (
    <>
      <PageHeader
        title="Create a token"
        text={
          scope.kind === 'user'
            ? 'It acts for the user who is behind the token that you signed in with. It can have no permission that your token does not have.'
            : 'It belongs to the account. It can have no permission that your token does not have.'
        }
      />
      {groups.isError ? (
        <FailureState title="The permissions cannot be listed" error={groups.error} />
      ) : groups.isPending ? (
        <Skeleton h={320} />
      ) : (
        <Form scope={scope} groups={groups.data} />
      )}
    </>
  )
}

interface FormProps {
  readonly scope: TokenScope
  readonly groups: readonly PermissionGroup[]
}

function Form({ scope, groups }: FormProps) {
  const [draft, setDraft] = useState<TokenDraft>(emptyDraft)
  const { may } = useMay(scope.write)
  const navigate = useNavigate()
  const rows = useMemo(() => permissionRows(groups), [groups])
  const surroundings = {
    rows,
    everythingId: everythingGroup(groups)?.id,
    accountId: scope.accountId,
    owner: scope.kind,
  }
  const key = at(scope, 'POST /accounts/{account_id}/tokens')
  const input = { path: { account_id: scope.accountId }, body: tokenBody(draft, surroundings) }
  const missing = missingOf(draft, surroundings)
  const create = useChange(key, {
    done: token => `${token.name} is made`,
    failed: 'The token was not made',
    changes: changedByTokens(scope),
    quietFailure: true,
  })
  const change = (part: Partial<TokenDraft>) => {
    setDraft(before => ({ ...before, ...part }))
    create.reset()
  }
  const faults = create.error instanceof ApiFailure ? create.error.byPointer() : new Map<string, string>()
  // Of one in a list, what is wrong is said at the list.
  const faultAt = (pointer: string) =>
    [...faults].find(([at]) => at === pointer || at.startsWith(`${pointer}/`))?.[1]
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (may && missing === undefined && !create.isPending) create.mutate(input)
  }
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack maw={880} gap="md">
        <Section title="Name">
          <TextInput
            aria-label="Name"
            placeholder="terraform"
            maw={420}
            maxLength={120}
            value={draft.name}
            onChange={event => change({ name: event.currentTarget.value })}
            error={faultAt('/name')}
            autoComplete="off"
          />
        </Section>
        <Section title="Permissions" text="What it may do. Whoever may write may read.">
          <PermissionPicker rows={rows} groups={groups} draft={draft} onChange={change} />
        </Section>
        {needsZones(draft, rows) ? (
          <Section title="Resources" text="The zones that the permissions on zones are for.">
            <ZoneChooser zones={draft.zones} onChange={zones => change({ zones })} />
          </Section>
        ) : null}
        <Section title="Conditions" text="Until when it works, and from which addresses.">
          <ConditionsFields draft={draft} faultAt={faultAt} onChange={change} />
        </Section>
        {create.isError ? <FailureState title="The token was not made" error={create.error} /> : null}
        <ApiCall call={describeCall(key, input)} />
        <Group justify="flex-end" gap="sm">
          <Text size="sm" c="dimmed" role="status">
            {missing ?? ''}
          </Text>
          <LinkButton to="/tokens" search={{ of: scope.kind }} variant="default">
            Cancel
          </LinkButton>
          <Permitted needs={scope.write}>
            {barred => (
              <Button type="submit" loading={create.isPending} disabled={missing !== undefined} {...barred}>
                Create the token
              </Button>
            )}
          </Permitted>
        </Group>
      </Stack>
      <ValueDialog
        name={create.data?.name ?? ''}
        value={create.data?.value}
        owner={scope.kind}
        accountId={scope.accountId}
        onClose={() => void navigate({ to: '/tokens', search: { of: scope.kind } as never })}
      />
    </form>
  )
}
