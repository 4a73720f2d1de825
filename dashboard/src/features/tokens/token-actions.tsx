import { ActionIcon, Menu, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { describeCall } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { useMay } from '../../api/permissions.ts'
import type { Token, UpdateAccountTokenBody } from '../../api/types.ts'
import { ApiCall } from '../../ui/api-call.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { PauseIcon, PlayIcon, RollIcon, TrashIcon } from '../../ui/icons.tsx'
import { useFocusBack } from '../../ui/use-focus-back.ts'
import { at, changedByTokens, type TokenScope } from './scope.ts'
import { ValueDialog } from './value-dialog.tsx'

interface Props {
  readonly scope: TokenScope
  readonly token: Token
  /** Is this page signed in with it? */
  readonly isOwn: boolean
}

type Action = 'roll' | 'switch' | 'delete'

/** A new value, off and on, and the end. */
export function TokenActions({ scope, token, isOwn }: Props) {
  const [action, setAction] = useState<Action>()
  const [value, setValue] = useState<string>()
  const { may, reason: lacking } = useMay(scope.write)
  const reason = isOwn ? 'You are signed in with this token. Sign in with another one to change it.' : lacking
  const barred = { disabled: isOwn || !may }
  const { target, focusBack } = useFocusBack()
  const close = () => {
    setAction(undefined)
    focusBack()
  }
  return (
    <>
      {/* Inside the landmark of the content, and not cut off by the table. */}
      <Menu position="bottom-end" portalProps={{ target: '#content' }} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon ref={target} variant="default" size="lg" aria-label={`Actions of ${token.name}`}>
            …
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<RollIcon size={16} />} onClick={() => setAction('roll')} {...barred}>
            Roll…
          </Menu.Item>
          {token.status === 'expired' ? null : (
            <Menu.Item
              leftSection={token.status === 'active' ? <PauseIcon size={16} /> : <PlayIcon size={16} />}
              onClick={() => setAction('switch')}
              {...barred}
            >
              {token.status === 'active' ? 'Disable…' : 'Enable…'}
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item
            {...(barred.disabled ? {} : { c: 'var(--sluice-bad)' })}
            leftSection={<TrashIcon size={16} />}
            onClick={() => setAction('delete')}
            {...barred}
          >
            Delete…
          </Menu.Item>
          {reason === undefined ? null : (
            <Menu.Label maw={240} style={{ whiteSpace: 'normal' }}>
              {reason}
            </Menu.Label>
          )}
        </Menu.Dropdown>
      </Menu>
      <RollDialog scope={scope} token={token} opened={action === 'roll'} onClose={close} onValue={setValue} />
      <SwitchDialog scope={scope} token={token} opened={action === 'switch'} onClose={close} />
      <DeleteDialog scope={scope} token={token} opened={action === 'delete'} onClose={close} />
      <ValueDialog
        name={token.name}
        value={value}
        owner={scope.kind}
        accountId={scope.accountId}
        onClose={() => {
          setValue(undefined)
          focusBack()
        }}
      />
    </>
  )
}

interface DialogProps {
  readonly scope: TokenScope
  readonly token: Token
  readonly opened: boolean
  onClose(): void
}

function pathOf({ scope, token }: Pick<DialogProps, 'scope' | 'token'>) {
  return { account_id: scope.accountId, token_id: token.id }
}

function RollDialog(props: DialogProps & { onValue(value: string): void }) {
  const { scope, token, opened, onClose, onValue } = props
  const key = at(scope, 'PUT /accounts/{account_id}/tokens/{token_id}/value')
  const input = { path: pathOf(props) }
  const roll = useChange(key, {
    done: `${token.name} has a new value`,
    failed: `${token.name} was not rolled`,
    changes: changedByTokens(scope),
    onDone: value => {
      onClose()
      onValue(value)
    },
  })
  return (
    <ConfirmDialog
      opened={opened}
      title={`Give ${token.name} a new value?`}
      action="Roll the token"
      danger
      pending={roll.isPending}
      onConfirm={() => roll.mutate(input)}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          The value that is in use stops working at once. Whatever uses the token needs the new one, which is
          shown to you once.
        </Text>
        <ApiCall call={describeCall(key, input)} />
      </Stack>
    </ConfirmDialog>
  )
}

function SwitchDialog(props: DialogProps) {
  const { scope, token, opened, onClose } = props
  const on = token.status === 'disabled'
  const key = at(scope, 'PUT /accounts/{account_id}/tokens/{token_id}')
  const input = { path: pathOf(props), body: switched(token, on ? 'active' : 'disabled') }
  const change = useChange(key, {
    done: on ? `${token.name} works again` : `${token.name} is disabled`,
    failed: `${token.name} was not changed`,
    changes: changedByTokens(scope),
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      opened={opened}
      title={on ? `Enable ${token.name}?` : `Disable ${token.name}?`}
      action={on ? 'Enable' : 'Disable'}
      pending={change.isPending}
      onConfirm={() => change.mutate(input)}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          {on
            ? 'It works again with the value that it had, unless that is lost.'
            : 'The API answers it like an unknown token until it is enabled again. Its value stays the same.'}
        </Text>
        <ApiCall call={describeCall(key, input)} />
      </Stack>
    </ConfirmDialog>
  )
}

/** An update replaces a token whole: everything else goes back as it came. */
function switched(token: Token, status: 'active' | 'disabled'): UpdateAccountTokenBody {
  const { name, policies, condition, not_before, expires_on } = token
  return {
    name,
    status,
    policies,
    ...(condition === undefined ? {} : { condition }),
    ...(not_before === undefined ? {} : { not_before }),
    ...(expires_on === undefined ? {} : { expires_on }),
  }
}

function DeleteDialog(props: DialogProps) {
  const { scope, token, opened, onClose } = props
  const key = at(scope, 'DELETE /accounts/{account_id}/tokens/{token_id}')
  const input = { path: pathOf(props) }
  const remove = useChange(key, {
    done: `${token.name} is deleted`,
    failed: `${token.name} was not deleted`,
    changes: changedByTokens(scope),
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      opened={opened}
      title={`Delete ${token.name}?`}
      action="Delete the token"
      danger
      pending={remove.isPending}
      onConfirm={() => remove.mutate(input)}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          Whatever uses it gets no answer from the API from now on. This cannot be undone; disable it to be
          able to.
        </Text>
        <ApiCall call={describeCall(key, input)} />
      </Stack>
    </ConfirmDialog>
  )
}
