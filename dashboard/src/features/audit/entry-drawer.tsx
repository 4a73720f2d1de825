import { Anchor, Drawer, Stack, Table, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { AuditLog } from '../../api/types.ts'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { TextLink } from '../../ui/page/links.tsx'
import { differencesMax, differencesOf } from './differences.ts'
import classes from './entry-drawer.module.css'
import { actionWord, actorText, fromText, metadataOf, resourceName, resourceWord } from './words.ts'

interface Props {
  readonly entry: AuditLog | undefined
  /** Filters by this actor. */
  onActor(actor: string): void
  onClose(): void
}

/** One change: actor, address, and the resource before and after it. */
export function EntryDrawer({ entry, onActor, onClose }: Props) {
  return (
    <Drawer
      opened={entry !== undefined}
      onClose={onClose}
      position="right"
      size="xl"
      title={entry === undefined ? '' : `${actionWord(entry.action.type)}: ${resourceName(entry)}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {entry === undefined ? null : <Content entry={entry} onActor={onActor} />}
    </Drawer>
  )
}

function Content({ entry, onActor }: { readonly entry: AuditLog; onActor(actor: string): void }) {
  const { method, path, token_id, zone_id, zone_name } = metadataOf(entry)
  return (
    <Stack gap="lg">
      <Table layout="fixed" verticalSpacing={6}>
        <Table.Tbody>
          <Row name="Time">
            <time dateTime={entry.when}>{new Date(entry.when).toLocaleString()}</time>
          </Row>
          <Row name="Resource">
            {resourceWord(entry.resource.type)} <span className="mono">{entry.resource.id}</span>
          </Row>
          {zone_id === undefined ? null : (
            <Row name="Zone">
              {zone_name === undefined ? (
                <span className="mono">{zone_id} (deleted)</span>
              ) : (
                <TextLink to={`/zones/${zone_id}`} inherit>
                  {zone_name}
                </TextLink>
              )}
            </Row>
          )}
          <Row name="Actor">
            {actorText(entry)}, {fromText(entry)}
          </Row>
          {token_id === undefined ? null : (
            <Row name="Token">
              <Anchor
                component="button"
                type="button"
                inherit
                className="mono"
                onClick={() => onActor(token_id)}
              >
                {token_id}
              </Anchor>
            </Row>
          )}
          <Row name="Call">
            <span className="mono">
              {method} {path}
            </span>
          </Row>
          <Row name="Entry ID">
            <span className="mono">{entry.id}</span>
          </Row>
        </Table.Tbody>
      </Table>
      {entry.action.type === 'update' ? <Differences entry={entry} /> : null}
      <Value title="Before" value={entry.oldValueJson} />
      <Value title="After" value={entry.newValueJson} />
    </Stack>
  )
}

function Row({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500} w="30%">
        {name}
      </Table.Th>
      <Table.Td className="wrap">{children}</Table.Td>
    </Table.Tr>
  )
}

function Differences({ entry }: { readonly entry: AuditLog }) {
  const found = differencesOf(entry.oldValueJson, entry.newValueJson)
  return (
    <Stack gap="xs" component="section" aria-label="Changes">
      <Title order={2}>Changes</Title>
      {found.length === 0 ? <Text size="sm">No visible changes.</Text> : null}
      <dl className={classes['list']}>
        {found.map(({ path, from, to }) => (
          <div key={path} className={classes['item']}>
            <dt className={classes['path']}>{path}</dt>
            <dd className={classes['values']}>
              {from === undefined ? 'none' : <del className={classes['from']}>{shown(from)}</del>} →{' '}
              {to === undefined ? 'none' : <ins className={classes['to']}>{shown(to)}</ins>}
            </dd>
          </div>
        ))}
      </dl>
      {found.length === differencesMax ? (
        <Text size="sm" c="dimmed">
          Only the first {differencesMax} are listed. The full values are below.
        </Text>
      ) : null}
    </Stack>
  )
}

function shown(text: string): string {
  return text === '' ? 'empty' : text
}

function Value({ title, value }: { readonly title: string; readonly value: unknown }) {
  const { omitted, bytes } = (value ?? {}) as { readonly omitted?: unknown; readonly bytes?: number }
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <Title order={2}>{title}</Title>
      {value === null || value === undefined ? (
        <Text size="sm" c="dimmed">
          {title === 'Before' ? 'Created by this change.' : 'Deleted by this change.'}
        </Text>
      ) : omitted === true ? (
        <Text size="sm">Value too large to keep: {(bytes ?? 0).toLocaleString()} bytes, limit 256 KiB.</Text>
      ) : (
        <CodeBlock text={JSON.stringify(value, undefined, 2)} what={`value ${title.toLowerCase()}`} />
      )}
    </Stack>
  )
}
