import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { describeCall, type Input } from '../../api/client.ts'
import { ApiFailure } from '../../api/failure.ts'
import { useSession } from '../../api/hooks.ts'
import type { Zone } from '../../api/types.ts'
import { OriginField, originUrl, useOriginCheck } from '../../domain/zone/origin-field.tsx'
import { useChange } from '../../ui/controls/use-change.ts'
import { ApiCall } from '../../ui/display/api-call.tsx'
import { FailureState } from '../../ui/page/states.tsx'
import { protect } from './protect.ts'

interface Props {
  /** @param isProtected whether the OWASP ruleset was deployed as requested */
  onAdded(zone: Zone, isProtected: boolean): void
  onCancel(): void
}

const fields = ['/name', '/host', '/origin/url']

export function AddZoneForm({ onAdded, onCancel }: Props) {
  const [typedName, setName] = useState('')
  const [origin, setOrigin] = useState('')
  const [wantsRules, setWantsRules] = useState(true)
  const name = typedName.trim()
  const url = originUrl(origin)
  const body = { name, account: { id: useSession().accountId }, origin: { url } }

  const check = useOriginCheck()
  const add = useAdd(body, wantsRules, onAdded)
  const busy = add.isPending || check.isPending

  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    try {
      const answer = check.data ?? (await check.mutateAsync({ url, host: name }))
      // The user has seen that the origin does not respond, and adds the zone anyway.
      if (answer.reachable || check.data !== undefined) await add.start()
    } catch {
      // The form shows the error.
    }
  }
  const { faults, rest } = faultsOf(add.error ?? check.error)
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <DomainField
          value={typedName}
          onChange={value => {
            setName(value)
            add.reset()
            check.reset()
          }}
          error={faults.get('/name') ?? faults.get('/host')}
        />
        <OriginField
          value={origin}
          onChange={value => {
            setOrigin(value)
            add.reset()
          }}
          host={name}
          fault={faults.get('/origin/url')}
          check={check}
        />
        <RulesWish checked={wantsRules} onChange={setWantsRules} />
        {rest === null ? null : <FailureState title="Failed to add zone" error={rest} />}
        <ApiCall call={describeCall('POST /zones', { body })} />
        <Buttons
          busy={busy}
          disabled={name === '' || url === ''}
          insists={check.data?.reachable === false}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  )
}

/** Messages by field, and the error itself when no field shows it. */
function faultsOf(error: Error | null) {
  const faults = error instanceof ApiFailure ? error.byPointer() : new Map<string, string>()
  const isShown = [...faults.keys()].some(pointer => fields.includes(pointer))
  return { faults, rest: isShown ? null : error }
}

interface ButtonsProps {
  readonly busy: boolean
  readonly disabled: boolean
  /** The origin does not respond; the zone can still be added. */
  readonly insists: boolean
  onCancel(): void
}

function Buttons({ busy, disabled, insists, onCancel }: ButtonsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" loading={busy} disabled={disabled}>
        {insists ? 'Add anyway' : 'Add'}
      </Button>
    </Group>
  )
}

interface DomainProps {
  readonly value: string
  readonly error: string | undefined
  onChange(value: string): void
}

function DomainField({ value, error, onChange }: DomainProps) {
  return (
    <TextInput
      label="Domain"
      description="Requests with this host name belong to the zone."
      placeholder="shop.example.com"
      value={value}
      onChange={event => onChange(event.currentTarget.value)}
      error={error}
      required
      withAsterisk={false}
      data-autofocus
      autoComplete="off"
      spellCheck={false}
    />
  )
}

function RulesWish({ checked, onChange }: { readonly checked: boolean; onChange(checked: boolean): void }) {
  return (
    <Checkbox
      label="Deploy the OWASP managed ruleset"
      description="Defaults: all paranoia levels, threshold Medium, action Block. You can tune it later."
      checked={checked}
      onChange={event => onChange(event.currentTarget.checked)}
    />
  )
}

/** Creates the zone, then deploys the OWASP ruleset if requested. */
function useAdd(
  body: NonNullable<Input<'POST /zones'>['body']>,
  wantsRules: boolean,
  onAdded: Props['onAdded'],
) {
  const create = useChange('POST /zones', {
    done: zone => `${zone.name} added`,
    failed: 'Failed to add zone',
    changes: ['GET /zones'],
    quietFailure: true,
  })
  const rules = useMutation({ mutationFn: protect })
  const rulesFor = async (zoneId: string) => {
    if (!wantsRules) return true
    return rules.mutateAsync(zoneId).then(
      () => true,
      () => false,
    )
  }
  return {
    isPending: create.isPending || rules.isPending,
    error: create.error,
    reset: create.reset,
    async start() {
      const zone = await create.mutateAsync({ body })
      onAdded(zone, await rulesFor(zone.id))
    },
  }
}
