import { Stack, Text } from '@mantine/core'
import { useRead, useSession } from '../../api/hooks.ts'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { traceOutcomeText, useTraceOutcome } from './use-trace-outcome.ts'

/** Two curl commands to try a zone: a clean request and an attack, with the expected outcome. */
export function TryCommands({ zoneName }: { readonly zoneName: string }) {
  const { data } = useRead('GET /accounts/{account_id}/edge', {
    path: { account_id: useSession().accountId },
  })
  const edge = reachableUrl(data?.url ?? undefined)
  const trace = useTraceOutcome(zoneName, attack, typeof data?.url === 'string')
  return (
    <Stack gap="xs">
      <Text size="sm">A clean request, which reaches the origin:</Text>
      <CodeBlock text={commandOf(edge, zoneName, '/')} what="request" />
      <Text size="sm">A request with an attack{traceOutcomeText(trace)}:</Text>
      <CodeBlock text={commandOf(edge, zoneName, attack)} what="attack" />
      {data?.url === null ? (
        <Text size="xs" c="dimmed">
          The edge runs in another process: replace EDGE with its address.
        </Text>
      ) : null}
    </Stack>
  )
}

/** Combines several attacks, so that the score passes every threshold that the dashboard offers. */
const attack = `/?q=${encodeURIComponent(`1' UNION SELECT user,password FROM users--<script>alert(1)</script>../../etc/passwd;cat /etc/shadow`).replaceAll("'", '%27')}`

/** An edge that listens on all addresses is reachable at the host of this page. */
function reachableUrl(url: string | undefined): string {
  if (url === undefined) return 'http://EDGE'
  return url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=:|$)/, `//${location.hostname}`)
}

/** Sends the zone name as Host: rules treat an IP address in the Host header as suspicious. */
function commandOf(edge: string, zoneName: string, path: string): string {
  return `curl -i -H 'Host: ${zoneName}' '${edge}${path}'`
}
