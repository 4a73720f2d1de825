import { ActionIcon, Menu, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { describeCall } from '../../api/client.ts'
import { useMay } from '../../api/permissions.ts'
import type { Token, UpdateAccountTokenBody } from '../../api/types.ts'
import { ConfirmDialog } from '../../ui/controls/confirm-dialog.tsx'
import { useChange } from '../../ui/controls/use-change.ts'
import { useFocusBack } from '../../ui/controls/use-focus-back.ts'
import { ApiCall } from '../../ui/display/api-call.tsx'
import { PauseIcon, PlayIcon, RollIcon, TrashIcon } from '../../ui/display/icons.tsx'
import { at, changedByTokens, type TokenScope } from './scope.ts'
import { ValueDialog } from './value-dialog.tsx'

interface Props {
  readonly scope: TokenScope
  readonly token: Token
  /** True for the token of this session. */
  readonly isOwn: boolean
}

type Action = 'roll' | 'switch' | 'delete'

/** Menu: roll, disable or enable, and delete. */
export function TokenActions({ scope, token, isOwn }: Props) {
  const [action, setAction] = useState<Action>()
  const [value, setValue] = useState<string>()
  const { may, reason: lacking } = useMay(scope.write)
  const reason = isOwn ? 'This is your current token. Sign in with another one to change it.' : lacking
  const barred = { disabled: isOwn || !may }
  const { target, focusBack } = useFocusBack()
  const close = () => {
    setAction(undefined)
    focusBack()
  }
  return (
    <>
      {/* Inside the main landmark, and not clipped by the table. */}
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
          <DeleteItem {...barred} onChoose={() => setAction('delete')} />
          {reason === undefined ? null : <Reason text={reason} />}
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

/** Why menu items are disabled. */
function Reason({ text }: { readonly text: string }) {
  return (
    <Menu.Label maw={240} style={{ whiteSpace: 'normal' }}>
      {text}
    </Menu.Label>
  )
}

function DeleteItem({ disabled, onChoose }: { readonly disabled: boolean; onChoose(): void }) {
  return (
    <Menu.Item
      {...(disabled ? {} : { c: 'var(--sluice-bad)' })}
      leftSection={<TrashIcon size={16} />}
      onClick={onChoose}
      disabled={disabled}
    >
      Delete…
    </Menu.Item>
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
    done: `${token.name} rolled`,
    failed: `Failed to roll ${token.name}`,
    changes: changedByTokens(scope),
    onDone: value => {
      onClose()
      onValue(value)
    },
  })
  return (
    <ConfirmDialog
      opened={opened}
      title={`Roll ${token.name}?`}
      action="Roll token"
      danger
      pending={roll.isPending}
      onConfirm={() => roll.mutate(input)}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          The current value stops working immediately. All clients of this token need the new value, which is
          shown only once.
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
    done: on ? `${token.name} enabled` : `${token.name} disabled`,
    failed: `Failed to change ${token.name}`,
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
            ? 'The token becomes valid again, with the same value.'
            : 'The API rejects the token until you enable it again. Its value stays the same.'}
        </Text>
        <ApiCall call={describeCall(key, input)} />
      </Stack>
    </ConfirmDialog>
  )
}

/** An update replaces the whole token, so it sends all other members back. */
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
    done: `${token.name} deleted`,
    failed: `Failed to delete ${token.name}`,
    changes: changedByTokens(scope),
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      opened={opened}
      title={`Delete ${token.name}?`}
      action="Delete token"
      danger
      pending={remove.isPending}
      onConfirm={() => remove.mutate(input)}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          The API rejects the token immediately. This cannot be undone; disable the token instead to keep it.
        </Text>
        <ApiCall call={describeCall(key, input)} />
      </Stack>
    </ConfirmDialog>
  )
}
