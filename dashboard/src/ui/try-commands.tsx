import { Stack, Text } from '@mantine/core'
import { useRead, useSession } from '../api/hooks.ts'
import { CodeBlock } from './code-block.tsx'

/** The commands to try a zone with, as they are: a request that is let through, and an attack. */
export function TryCommands({ zoneName }: { readonly zoneName: string }) {
  const { data } = useRead('GET /accounts/{account_id}/edge', {
    path: { account_id: useSession().accountId },
  })
  const edge = reachableUrl(data?.url ?? undefined)
  return (
    <Stack gap="xs">
      <Text size="sm">A request through the edge, which the origin answers:</Text>
      <CodeBlock text={commandOf(edge, zoneName, '/')} what="the request" />
      <Text size="sm">The same with an attack in it, which the OWASP ruleset blocks:</Text>
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
const attack = `/?q=${encodeURIComponent(`1' UNION SELECT user,password FROM users--<script>alert(1)</script>../../etc/passwd;cat /etc/shadow`)}`

/** Where the edge listens on all addresses, it answers at the one that this page came from. */
function reachableUrl(url: string | undefined): string {
  if (url === undefined) return 'http://EDGE'
  return url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=:|$)/, `//${location.hostname}`)
}

/** Addresses that the name of the zone leads to need no Host header. */
function commandOf(edge: string, zoneName: string, path: string): string {
  const isOwn = zoneName === 'localhost' && /\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?=:|$)/.test(edge)
  return `curl -i ${isOwn ? '' : `-H 'Host: ${zoneName}' `}'${edge}${path.replaceAll("'", '%27')}'`
}
