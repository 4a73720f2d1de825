import { Badge, Code, Drawer, Group, Stack, Table, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { Token } from '../../api/types.ts'
import { momentText } from '../../ui/display/local-time.ts'
import { StatusDot } from '../../ui/display/status-dot.tsx'
import { TextLink } from '../../ui/page/links.tsx'
import { resourceWords, stateWords } from './words.ts'

interface Props {
  readonly token: Token | undefined
  readonly isOwn: boolean
  onClose(): void
}

/** All details of a token. */
export function TokenDrawer({ token, isOwn, onClose }: Props) {
  return (
    <Drawer
      opened={token !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={token?.name ?? ''}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {token === undefined ? null : <Content token={token} isOwn={isOwn} />}
    </Drawer>
  )
}

function Content({ token, isOwn }: { readonly token: Token; readonly isOwn: boolean }) {
  const { tone, word } = stateWords[token.status]
  const { in: only, not_in: never } = token.condition?.request_ip ?? {}
  return (
    <Stack gap="lg">
      <Table layout="fixed" verticalSpacing={6}>
        <Table.Tbody>
          <Row name="Status">
            <StatusDot tone={tone}>{isOwn ? `${word}: your current token` : word}</StatusDot>
          </Row>
          <Row name="Created">{momentText(token.issued_on)}</Row>
          <Row name="Modified">{momentText(token.modified_on)}</Row>
          <Row name="Last used">
            {token.last_used_on === undefined ? 'Never' : momentText(token.last_used_on)}
          </Row>
          {token.not_before === undefined ? null : (
            <Row name="Valid from">{momentText(token.not_before)}</Row>
          )}
          <Row name="Expires">{token.expires_on === undefined ? 'Never' : momentText(token.expires_on)}</Row>
          {only === undefined ? null : <Row name="Allowed client IPs">{only.join(', ')}</Row>}
          {never === undefined ? null : <Row name="Denied client IPs">{never.join(', ')}</Row>}
          <Row name="ID">
            <span className="mono wrap">{token.id}</span>
          </Row>
        </Table.Tbody>
      </Table>
      <Stack gap="sm" component="section" aria-label="Permissions">
        <Title order={2}>Permissions</Title>
        {token.policies.map(policy => (
          <PolicyText key={policy.id} policy={policy} />
        ))}
      </Stack>
      <TextLink to="/audit" search={{ actor: token.id, range: '30d' }} size="sm">
        Changes with this token in the audit trail
      </TextLink>
    </Stack>
  )
}

function Row({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500} w="32%">
        {name}
      </Table.Th>
      <Table.Td className="wrap">{children}</Table.Td>
    </Table.Tr>
  )
}

function PolicyText({ policy }: { readonly policy: Token['policies'][number] }) {
  return (
    <Stack gap={6}>
      <Group gap={6}>
        <Text size="sm" fw={550}>
          {policy.effect === 'allow' ? 'Allow' : 'Deny'}
        </Text>
        {policy.permission_groups.map(group => (
          <Badge key={group.id} variant="light" tt="none">
            {group.name}
          </Badge>
        ))}
      </Group>
      <Group gap={6}>
        <Text size="sm" c="dimmed">
          on
        </Text>
        {resourceWords(policy.resources).map(({ text, zoneId }) =>
          zoneId === undefined ? (
            <Text key={text} size="sm">
              {text}
            </Text>
          ) : (
            <ZoneName key={zoneId} zoneId={zoneId} />
          ),
        )}
      </Group>
    </Stack>
  )
}

function ZoneName({ zoneId }: { readonly zoneId: string }) {
  const { data } = useRead('GET /zones/{zone_id}', { path: { zone_id: zoneId } }, { staleMs: 60_000 })
  if (data === undefined) return <Code>{zoneId}</Code>
  return (
    <TextLink to={`/zones/${zoneId}`} size="sm">
      {data.name}
    </TextLink>
  )
}
