import { Stack, Text } from '@mantine/core'
import { useRead, useSession } from '../api/hooks.ts'
import { CodeBlock } from './code-block.tsx'
import { fateText, useFate } from './use-fate.ts'

/** The commands to try a zone with, as they are: a request that is let through, and an attack, with what becomes of it. */
export function TryCommands({ zoneName }: { readonly zoneName: string }) {
  const { data } = useRead('GET /accounts/{account_id}/edge', {
    path: { account_id: useSession().accountId },
  })
  const edge = reachableUrl(data?.url ?? undefined)
  const fate = useFate(zoneName, attack, typeof data?.url === 'string')
  return (
    <Stack gap="xs">
      <Text size="sm">A request through the edge, which the origin answers:</Text>
      <CodeBlock text={commandOf(edge, zoneName, '/')} what="the request" />
      <Text size="sm">The same with an attack in it{fateText(fate)}:</Text>
      <CodeBlock text={commandOf(edge, zoneName, attack)} what="the attack" />
      {data?.url === null ? (
        <Text size="xs" c="dimmed">
          The edge runs in another process: put its address in place of EDGE.
        </Text>
      ) : null}
    </Stack>
  )
}

/** Several kinds at once, so that its score passes every threshold that the dashboard offers. */
const attack = `/?q=${encodeURIComponent(`1' UNION SELECT user,password FROM users--<script>alert(1)</script>../../etc/passwd;cat /etc/shadow`).replaceAll("'", '%27')}`

/** Where the edge listens on all addresses, it answers at the one that this page came from. */
function reachableUrl(url: string | undefined): string {
  if (url === undefined) return 'http://EDGE'
  return url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=:|$)/, `//${location.hostname}`)
}

/** With the name of the zone, also where the address would do: rules count an address in the Host header as suspicious. */
function commandOf(edge: string, zoneName: string, path: string): string {
  return `curl -i -H 'Host: ${zoneName}' '${edge}${path}'`
}
