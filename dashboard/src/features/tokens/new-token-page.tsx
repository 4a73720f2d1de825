import { Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useMemo, useState } from 'react'
import { describeCall } from '../../api/client.ts'
import { ApiFailure } from '../../api/failure.ts'
import { useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/permissions.ts'
import type { PermissionGroup } from '../../api/types.ts'
import { Permitted } from '../../ui/controls/permitted.tsx'
import { useChange } from '../../ui/controls/use-change.ts'
import { ApiCall } from '../../ui/display/api-call.tsx'
import { LinkButton } from '../../ui/page/links.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Section } from '../../ui/page/section.tsx'
import { FailureState } from '../../ui/page/states.tsx'
import { ConditionsFields } from './conditions-fields.tsx'
import { emptyDraft, missingOf, needsZones, type TokenDraft, tokenBody } from './draft.ts'
import { PermissionPicker } from './permission-picker.tsx'
import { everythingGroup, permissionRows } from './permission-rows.ts'
import { at, changedByTokens, type TokenScope, useTokenScope } from './scope.ts'
import { ValueDialog } from './value-dialog.tsx'
import { ZoneChooser } from './zone-chooser.tsx'

/** Form for a new token: permissions, resources and conditions. */
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
        title="Create token"
        text={
          scope.kind === 'user'
            ? 'The token acts for your user. Its permissions cannot exceed those of your current token.'
            : 'The token belongs to the account. Its permissions cannot exceed those of your current token.'
        }
      />
      {groups.isError ? (
        <FailureState title="Failed to load permissions" error={groups.error} />
      ) : groups.isPending ? (
        <Skeleton h={320} />
      ) : (
        <Form scope={scope} groups={groups.data.filter(({ category }) => category !== undefined)} />
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
  const input = { path: { account_id: scope.accountId }, body: tokenBody(draft, surroundings) }
  const missing = missingOf(draft, surroundings)
  const create = useCreate(scope)
  const change = (part: Partial<TokenDraft>) => {
    setDraft(before => ({ ...before, ...part }))
    create.reset()
  }
  const faultAt = faultsIn(create.error)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (may && missing === undefined && !create.isPending) create.mutate(input)
  }
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack maw={880} gap="md">
        <Section title="Name">
          <NameInput value={draft.name} error={faultAt('/name')} onChange={name => change({ name })} />
        </Section>
        <Section title="Permissions" text="Write includes read.">
          <PermissionPicker rows={rows} groups={groups} draft={draft} onChange={change} />
        </Section>
        {needsZones(draft, rows) ? (
          <Section title="Resources" text="Zones to which the zone permissions apply.">
            <ZoneChooser zones={draft.zones} onChange={zones => change({ zones })} />
          </Section>
        ) : null}
        <Section title="Conditions" text="Expiry and allowed client IPs.">
          <ConditionsFields draft={draft} faultAt={faultAt} onChange={change} />
        </Section>
        {create.isError ? <FailureState title="Failed to create token" error={create.error} /> : null}
        <ApiCall call={describeCall(keyOf(scope), input)} />
        <Buttons scope={scope} missing={missing} pending={create.isPending} />
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

function keyOf(scope: TokenScope) {
  return at(scope, 'POST /accounts/{account_id}/tokens')
}

function useCreate(scope: TokenScope) {
  return useChange(keyOf(scope), {
    done: token => `${token.name} created`,
    failed: 'Failed to create token',
    changes: changedByTokens(scope),
    quietFailure: true,
  })
}

/** The API's error for a member; an error for a list entry belongs to the list. */
function faultsIn(error: Error | null): (pointer: string) => string | undefined {
  const faults = error instanceof ApiFailure ? error.byPointer() : new Map<string, string>()
  return pointer => [...faults].find(([at]) => at === pointer || at.startsWith(`${pointer}/`))?.[1]
}

interface NameProps {
  readonly value: string
  readonly error: string | undefined
  onChange(name: string): void
}

function NameInput({ value, error, onChange }: NameProps) {
  return (
    <TextInput
      aria-label="Name"
      placeholder="terraform"
      maw={420}
      maxLength={120}
      value={value}
      onChange={event => onChange(event.currentTarget.value)}
      error={error}
      autoComplete="off"
    />
  )
}

interface ButtonsProps {
  readonly scope: TokenScope
  readonly missing: string | undefined
  readonly pending: boolean
}

function Buttons({ scope, missing, pending }: ButtonsProps) {
  return (
    <Group justify="flex-end" gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {missing ?? ''}
      </Text>
      <LinkButton to="/tokens" search={{ of: scope.kind }} variant="default">
        Cancel
      </LinkButton>
      <Permitted needs={scope.write}>
        {barred => (
          <Button type="submit" loading={pending} disabled={missing !== undefined} {...barred}>
            Create token
          </Button>
        )}
      </Permitted>
    </Group>
  )
}
