import { Alert, Group, Loader, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import type { ExceptionPreview as Preview } from '../../api/types.ts'
import { FailureText } from '../../ui/failure-text.tsx'
import { Figure } from '../../ui/figure.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import type { TimeRange } from '../../ui/time-range.tsx'
import type { ActionParameters } from '../rules/document.ts'
import classes from './events.module.css'
import { momentText } from './words.ts'

const operation = 'POST /zones/{zone_id}/security/exceptions/preview'

export interface PreviewState {
  readonly data: Preview | undefined
  readonly error: Error | null
  /** Is what is shown about the exception as it is now? */
  readonly isSettled: boolean
}

/** What an exception would have done to recorded events, asked a moment after the last change. */
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

/** What would be let through, before anything is. */
export function ExceptionPreview({
  preview: { data, error, isSettled },
}: {
  readonly preview: PreviewState
}) {
  return (
    <Stack gap="sm" component="section" aria-label="What it would let through" aria-live="polite">
      <Group gap="sm">
        <Title order={3}>What it would let through</Title>
        {isSettled ? null : <Loader role="img" size="xs" aria-label="Recorded events are being replayed" />}
      </Group>
      {error === null ? null : (
        <Alert color="red" icon={<AlertIcon />} title="Recorded events cannot be replayed">
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
          label="Would be let through"
          value={`${possibly_let_through === 0 ? '' : 'Up to '}${(let_through + possibly_let_through).toLocaleString()}`}
          note={
            possibly_let_through === 0
              ? 'Events that were held up'
              : `${possibly_let_through === 1 ? 'One' : possibly_let_through.toLocaleString()} if the rules match nowhere else in it: an event names the first place only`
          }
        />
        <Figure
          label="Still held up"
          value={still_held_up.toLocaleString()}
          note="Their score reaches the threshold without these rules, too"
        />
        <Figure label="Cannot be told" value={undecided.toLocaleString()} note={unknownText(preview)} />
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        {events.toLocaleString()} events since {new Date(since).toLocaleString()} were replayed
        {complete ? '.' : ': the newest; there are too many to replay all of them.'}
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
  let_through: 'let through',
  possibly_let_through: 'possibly let through',
  undecided: 'cannot be told',
}
const listed: ReadonlySet<string> = new Set(Object.keys(outcomes))

function unknownText({ unknown_fields: fields }: Preview): string {
  if (fields.length === 0) return 'Events say all that the exception asks for'
  return `Events do not record ${fields
    .slice(0, 3)
    .map(({ name }) => name)
    .join(', ')}`
}
