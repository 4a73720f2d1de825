import { Alert, Group, Loader, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import type { ExceptionPreview as Preview } from '../../../api/types.ts'
import type { ActionParameters } from '../../../domain/ruleset/rules/document.ts'
import type { TimeRange } from '../../../ui/address/time-range.tsx'
import { FailureText } from '../../../ui/display/failure-text.tsx'
import { AlertIcon } from '../../../ui/display/icons.tsx'
import { Figure } from '../../../ui/page/figure.tsx'
import classes from '../events.module.css'
import { momentText } from '../words.ts'

const operation = 'POST /zones/{zone_id}/security/exceptions/preview'

export interface PreviewState {
  readonly data: Preview | undefined
  readonly error: Error | null
  /** True when the preview is of the current exception. */
  readonly isSettled: boolean
}

/** Replays recorded events against an exception, shortly after its last change. */
export function usePreview(
  zoneId: string,
  { since, until }: TimeRange,
  expression: string,
  parameters: ActionParameters,
  enabled: boolean,
): PreviewState {
  const text = JSON.stringify({ expression, action_parameters: parameters, since, until })
  const [asked] = useDebouncedValue(text, 250)
  const { data, error, isFetching } = useQuery({
    queryKey: [operation, zoneId, asked],
    queryFn: ({ signal }) => call(operation, { path: { zone_id: zoneId }, body: JSON.parse(asked) }, signal),
    enabled,
    staleTime: 60_000,
  })
  const isSettled = enabled && asked === text && !isFetching
  return { data: isSettled ? data : undefined, error: isSettled ? error : null, isSettled }
}

/** The effect of an exception before it is deployed. */
export function ExceptionPreview({
  preview: { data, error, isSettled },
}: {
  readonly preview: PreviewState
}) {
  return (
    <Stack gap="sm" component="section" aria-label="Effect on recorded events" aria-live="polite">
      <Group gap="sm">
        <Title order={3}>Effect on recorded events</Title>
        {isSettled ? null : <Loader role="img" size="xs" aria-label="Replaying recorded events" />}
      </Group>
      {error === null ? null : (
        <Alert color="red" icon={<AlertIcon />} title="Failed to replay recorded events">
          <FailureText error={error} />
        </Alert>
      )}
      {data === undefined ? null : <Outcome preview={data} />}
    </Stack>
  )
}

function Outcome({ preview }: { readonly preview: Preview }) {
  const { let_through, possibly_let_through, undecided, still_held_up, events, since, complete } = preview
  const shown = preview.examples.filter(({ outcome }) => listed.has(outcome)).slice(0, 8)
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="xs">
        <Figure
          label="Would be allowed"
          value={`${possibly_let_through === 0 ? '' : 'Up to '}${(let_through + possibly_let_through).toLocaleString()}`}
          note={
            possibly_let_through === 0
              ? 'Mitigated events'
              : `${possibly_let_through.toLocaleString()} uncertain: an event has only the first match of each rule`
          }
        />
        <Figure
          label="Still mitigated"
          value={still_held_up.toLocaleString()}
          note="Other rules reach the threshold"
        />
        <Figure label="Undecided" value={undecided.toLocaleString()} note={unknownText(preview)} />
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        Replayed {events.toLocaleString()} events since {new Date(since).toLocaleString()}
        {complete ? '.' : ', the newest ones; there are too many to replay all.'}
      </Text>
      {shown.length === 0 ? null : (
        <ul className={classes['matches']} aria-label="Examples">
          {shown.map(
            ({ ray_id, datetime, outcome, method, path, client_ip, score, remaining_score, threshold }) => (
              <li key={`${ray_id} ${outcome}`} className={classes['example']}>
                <Text span inherit c="dimmed">
                  {momentText(datetime)}
                </Text>
                <span className="wrap">
                  <b>{method}</b> {path}
                </span>
                <Text span inherit c="dimmed">
                  {client_ip}
                </Text>
                <span>
                  {outcomes[outcome] ?? outcome}: score {score} → {remaining_score} of {threshold}
                </span>
              </li>
            ),
          )}
        </ul>
      )}
    </>
  )
}

const outcomes: Readonly<Record<string, string>> = {
  let_through: 'allowed',
  possibly_let_through: 'possibly allowed',
  undecided: 'undecided',
}
const listed: ReadonlySet<string> = new Set(Object.keys(outcomes))

function unknownText({ unknown_fields: fields }: Preview): string {
  if (fields.length === 0) return 'Events record all fields of the expression'
  return `Events do not record ${fields
    .slice(0, 3)
    .map(({ name }) => name)
    .join(', ')}`
}
