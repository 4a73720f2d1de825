import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { describeCall } from '../../api/client.ts'
import { ApiFailure } from '../../api/failure.ts'
import { useChange, useSession } from '../../api/hooks.ts'
import type { Zone } from '../../api/types.ts'
import { ApiCall } from '../../ui/api-call.tsx'
import { OriginField, originUrl, useOriginCheck } from '../../ui/origin-field.tsx'
import { FailureState } from '../../ui/states.tsx'
import { protect } from './protect.ts'

interface Props {
  /** @param isProtected whether the OWASP ruleset was deployed, as it was wished */
  onAdded(zone: Zone, isProtected: boolean): void
  onCancel(): void
}

const fields = ['/name', '/host', '/origin/url']

export function AddZoneForm({ onAdded, onCancel }: Props) {
  const { accountId } = useSession()
  const [typedName, setName] = useState('')
  const [origin, setOrigin] = useState('')
  const [wantsRules, setWantsRules] = useState(true)
  const name = typedName.trim()
  const url = originUrl(origin)
  const body = { name, account: { id: accountId }, origin: { url } }

  const check = useOriginCheck()
  const create = useChange('POST /zones', {
    done: zone => `${zone.name} is added`,
    failed: 'The zone was not added',
    changes: ['GET /zones'],
    quietFailure: true,
  })
  const rules = useMutation({ mutationFn: protect })
  const busy = create.isPending || rules.isPending || check.isPending

  const add = async () => {
    const zone = await create.mutateAsync({ body })
    const isProtected = await rulesFor(zone.id)
    onAdded(zone, isProtected)
  }
  const rulesFor = async (zoneId: string) => {
    if (!wantsRules) return true
    return rules.mutateAsync(zoneId).then(
      () => true,
      () => false,
    )
  }
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    try {
      const answer = check.data ?? (await check.mutateAsync({ url, host: name }))
      // Who has read that it does not answer, and adds it all the same, means it.
      if (answer.reachable || check.data !== undefined) await add()
    } catch {
      // Shown in the form.
    }
  }
  const error = create.error ?? check.error
  const faults = error instanceof ApiFailure ? error.byPointer() : new Map<string, string>()
  const isShownElsewhere = error === null || [...faults.keys()].some(pointer => fields.includes(pointer))
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <TextInput
          label="Domain"
          description="Requests with this host name are the zone’s."
          placeholder="shop.example.com"
          value={typedName}
          onChange={event => {
            setName(event.currentTarget.value)
            create.reset()
            check.reset()
          }}
          error={faults.get('/name') ?? faults.get('/host')}
          required
          withAsterisk={false}
          data-autofocus
          autoComplete="off"
          spellCheck={false}
        />
        <OriginField
          value={origin}
          onChange={value => {
            setOrigin(value)
            create.reset()
          }}
          host={name}
          fault={faults.get('/origin/url')}
          check={check}
        />
        <Checkbox
          label="Deploy the managed OWASP ruleset"
          description="With its defaults: all paranoia levels, threshold Medium, action Block. It can be tuned afterwards."
          checked={wantsRules}
          onChange={event => setWantsRules(event.currentTarget.checked)}
        />
        {isShownElsewhere ? null : <FailureState title="The zone was not added" error={error} />}
        <ApiCall call={describeCall('POST /zones', { body })} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={busy} disabled={name === '' || url === ''}>
            {check.data?.reachable === false ? 'Add it all the same' : 'Add the zone'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
