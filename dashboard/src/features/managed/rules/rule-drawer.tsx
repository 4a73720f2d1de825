import { Anchor, Badge, Drawer, Group, Loader, SimpleGrid, Stack, Switch, Text, Title } from '@mantine/core'
import { useRead } from '../../../api/hooks.ts'
import { CodeBlock } from '../../../ui/display/code-block.tsx'
import { FailureText } from '../../../ui/display/failure-text.tsx'
import { Figure } from '../../../ui/page/figure.tsx'
import { type RuleRow, reasonText } from './rule-search.ts'
import { countText, type RuleHits, shareText } from './use-rule-hits.ts'

interface Props {
  readonly row: RuleRow | undefined
  readonly zoneId: string
  /** Version of the managed ruleset. */
  readonly release: string
  readonly hits: RuleHits | undefined
  readonly disabled: boolean
  onSwitch(on: boolean): void
  onClose(): void
}

/** One rule: message, hits and its switch. */
export function RuleDrawer({ row, onClose, ...rest }: Props) {
  return (
    <Drawer
      opened={row !== undefined}
      onClose={onClose}
      position="right"
      size="xl"
      title={row === undefined ? '' : `Rule ${row.number}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {row === undefined ? null : <Content row={row} {...rest} />}
    </Drawer>
  )
}

function Content({
  row,
  zoneId,
  release,
  hits,
  disabled,
  onSwitch,
}: Omit<Props, 'onClose' | 'row'> & { readonly row: RuleRow }) {
  return (
    <Stack gap="md">
      <Title order={2}>{row.message}</Title>
      <Group gap="xs">
        <Badge variant="outline">PL{row.level}</Badge>
        <Badge variant="outline">
          {row.points} {row.points === 1 ? 'point' : 'points'}
        </Badge>
        {row.tags.map(tag => (
          <Badge key={tag} variant="light" tt="none">
            {tag}
          </Badge>
        ))}
      </Group>
      <Switch
        label="Rule enabled"
        description={reasonText(row.state)}
        checked={row.state.on}
        disabled={disabled}
        onChange={event => onSwitch(event.currentTarget.checked)}
      />
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="xs">
        <Figure label="Hits in 24 hours" value={countText(hits?.day.hits)} note={noteOf(hits?.day)} />
        <Figure label="Hits in 7 days" value={countText(hits?.week.hits)} note={noteOf(hits?.week)} />
        <Figure
          label="Maximum false positives"
          value={shareText(hits?.week.false_positive_share)}
          note="Hits in 7 days that reached the origin and succeeded"
        />
      </SimpleGrid>
      <RuleText zoneId={zoneId} release={release} row={row} />
      <Text size="xs" c="dimmed">
        API ID <span className="mono wrap">{row.rule.id}</span>
      </Text>
    </Stack>
  )
}

function noteOf(hits: RuleHits['day'] | undefined): string | undefined {
  return hits === undefined || hits.hits === 0 ? undefined : `${hits.mitigated.toLocaleString()} mitigated`
}

/** The rule text in the release. */
function RuleText({
  zoneId,
  release,
  row: { number },
}: {
  readonly zoneId: string
  readonly release: string
  readonly row: RuleRow
}) {
  const { data, error } = useRead(
    'GET /zones/{zone_id}/waf/crs_releases/{release}/rules/{number}',
    { path: { zone_id: zoneId, release, number } },
    { staleMs: Number.POSITIVE_INFINITY },
  )
  return (
    <Stack gap="xs" component="section" aria-label="Rule text">
      <Group justify="space-between" gap="xs">
        <Title order={3}>Rule text</Title>
        {data?.upstream_url ? (
          <Anchor href={data.upstream_url} target="_blank" rel="noreferrer" size="sm">
            CRS {data.crs_version} on GitHub
          </Anchor>
        ) : null}
      </Group>
      {data === undefined ? (
        error === null ? (
          <Loader role="img" size="sm" aria-label="Loading rule" />
        ) : (
          <FailureText error={error} />
        )
      ) : (
        <>
          <CodeBlock text={data.text} what="rule" />
          <Text size="xs" c="dimmed">
            {data.file}, line {data.line}
          </Text>
        </>
      )}
    </Stack>
  )
}
