import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { ApiFailure } from '../../api/failure.ts'
import { useSession } from '../../api/hooks.ts'
import { AlertIcon, CheckIcon } from '../../ui/display/icons.tsx'

/** Checks whether the origin responds. `host` is the zone's name, sent as Host. */
export function useOriginCheck() {
  const { accountId } = useSession()
  return useMutation({
    mutationFn: ({ url, host }: { readonly url: string; readonly host: string }) =>
      call('POST /accounts/{account_id}/origin_check', {
        path: { account_id: accountId },
        body: { origin: { url }, ...(host === '' ? {} : { host }) },
      }),
  })
}

type OriginCheck = ReturnType<typeof useOriginCheck>

/** Adds the scheme to addresses such as `127.0.0.1:9000`. */
export function originUrl(typed: string): string {
  const text = typed.trim()
  return text === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
}

interface Props {
  readonly value: string
  onChange(value: string): void
  readonly host: string
  /** The API's error for the field. */
  readonly fault: string | undefined
  /** For forms that use the result; otherwise the field keeps its own. */
  readonly check?: OriginCheck
}

/** The address of an origin, with a connection check. */
export function OriginField({ value, onChange, host, fault, check: given }: Props) {
  const own = useOriginCheck()
  const check = given ?? own
  const url = originUrl(value)
  return (
    <Stack gap="xs">
      <TextInput
        label="Origin"
        description="Destination of allowed requests: scheme, host and port."
        placeholder="http://127.0.0.1:9000"
        value={value}
        onChange={event => {
          onChange(event.currentTarget.value)
          check.reset()
        }}
        error={fault ?? refusalOf(check.error)}
        required
        withAsterisk={false}
        autoComplete="off"
        spellCheck={false}
        rightSectionWidth={84}
        rightSection={
          <Button
            variant="subtle"
            size="compact-sm"
            loading={check.isPending}
            disabled={url === ''}
            onClick={() => check.mutate({ url, host })}
          >
            Check
          </Button>
        }
      />
      <div role="status">{check.data === undefined ? null : <OriginState {...check.data} />}</div>
    </Stack>
  )
}

function refusalOf(error: Error | null): string | undefined {
  if (error === null) return undefined
  return error instanceof ApiFailure ? (error.byPointer().get('/origin/url') ?? error.message) : error.message
}

function OriginState({ reachable, message }: { readonly reachable: boolean; readonly message: string }) {
  if (reachable)
    return (
      <Group gap={6} c="var(--sluice-good)" wrap="nowrap">
        <CheckIcon size={16} />
        <Text size="sm">Origin reachable: {message}.</Text>
      </Group>
    )
  return (
    <Alert color="yellow" title="Origin unreachable" icon={<AlertIcon />}>
      <Text size="sm" className="wrap">
        {message.charAt(0).toUpperCase() + message.slice(1)}. Correct the address, or start the origin, and
        check again. Until then, the edge responds with 502.
      </Text>
    </Alert>
  )
}
