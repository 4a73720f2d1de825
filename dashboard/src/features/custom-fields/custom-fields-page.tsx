import { Alert, Button, Group, List, Paper, Progress, Skeleton, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { describeCall } from '../../api/client.ts'
import { entryPointKey, useEntryPoint } from '../../api/entry-point.ts'
import { isPermission } from '../../api/failure.ts'
import { useChange } from '../../api/hooks.ts'
import { useSample } from '../../api/log-sample.ts'
import type { Ruleset } from '../../api/types.ts'
import { ApiCall } from '../../ui/api-call.tsx'
import { FailureText } from '../../ui/failure-text.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import { TextLink } from '../../ui/links.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Permitted } from '../../ui/permitted.tsx'
import { FailureState } from '../../ui/states.tsx'
import { useZoneId } from '../../ui/use-zone-id.ts'
import { useDraft } from './draft-store.ts'
import {
  type CustomField,
  differences,
  fieldsMax,
  fieldsOf,
  type LogRule,
  rulesWith,
  sides,
} from './fields.ts'
import { SideSection } from './side-section.tsx'

const phase = 'http_log_custom_fields'
const update = 'PUT /zones/{zone_id}/rulesets/phases/{phase}/entrypoint'

/** Which headers and cookies are in the log records of the zone. */
export default function CustomFieldsPage() {
  const zoneId = useZoneId()
  const entryPoint = useEntryPoint(zoneId, phase)
  return (
    <>
      <PageHeader
        title="Custom fields"
        text={
          <>
            Headers and cookies that are in the log records of this zone. A{' '}
            <TextLink to={`/zones/${zoneId}/logpush`} inherit underline="always">
              Logpush job
            </TextLink>{' '}
            delivers them when it lists RequestHeaders, ResponseHeaders or Cookies among its fields.
          </>
        }
      />
      {entryPoint.isError ? (
        <FailureState title="The custom fields cannot be read" error={entryPoint.error} />
      ) : entryPoint.isPending ? (
        <Skeleton h={320} />
      ) : (
        <Editor key={zoneId} zoneId={zoneId} entryPoint={entryPoint.data} />
      )}
    </>
  )
}

interface EditorProps {
  readonly zoneId: string
  /** Null when the zone has none yet. */
  readonly entryPoint: Ruleset | null
}

function Editor({ zoneId, entryPoint }: EditorProps) {
  const queries = useQueryClient()
  const [draft, setDraft] = useDraft(zoneId)
  // What others have written since somebody began is not lost: the API refuses to write over it.
  const base = draft === undefined ? entryPoint : draft.base
  const rules = (base?.rules ?? []) as readonly LogRule[]
  const saved = fieldsOf(rules)
  const fields = draft?.fields ?? saved
  const changes = differences(saved, fields)
  const sample = useSample(zoneId, 'http_requests')
  const change = (next: readonly CustomField[]) =>
    setDraft(differences(saved, next).length === 0 ? undefined : { fields: next, base })
  const input = {
    path: { zone_id: zoneId, phase },
    body: { rules: rulesWith(fields, rules) as never },
    ...(base === null ? {} : { ifMatch: base.version }),
  }
  const discard = () => {
    setDraft(undefined)
    save.reset()
    void queries.invalidateQueries({ queryKey: entryPointKey(zoneId, phase) })
  }
  const save = useSave(zoneId, () => setDraft(undefined))
  const on = rules.filter(({ enabled = true }) => enabled).length
  return (
    <Stack gap="lg">
      <Paper
        withBorder
        p="md"
        style={{ borderColor: 'var(--sluice-line)', background: 'var(--sluice-raised)' }}
        maw={520}
      >
        <Group justify="space-between" mb={6}>
          <Text size="sm" fw={600} role="status">
            {fields.length} of {fieldsMax} custom fields
          </Text>
          <Text size="xs" c="dimmed">
            headers and cookies together
          </Text>
        </Group>
        <Progress value={(fields.length / fieldsMax) * 100} aria-label="Custom fields used" />
        <Text size="xs" c="dimmed" mt={6}>
          All values of one record have 8 KB; what is longer is cut. Secrets such as credentials are taken out
          before.
        </Text>
      </Paper>
      {on > 1 ? (
        <Text size="sm" c="dimmed">
          The fields are in {on} rules now. Saving puts them into one.
        </Text>
      ) : null}
      {sides.map(side => (
        <SideSection
          key={side.id}
          side={side}
          fields={fields}
          saved={saved}
          sample={sample}
          onChange={change}
        />
      ))}
      <Group gap="sm">
        <Text size="sm" c="dimmed" role="status">
          {sampleText(sample)}
        </Text>
        <Button size="compact-xs" variant="subtle" loading={sample.isFetching} onClick={sample.refresh}>
          Read them again
        </Button>
      </Group>
      {changes.length === 0 ? null : (
        <Paper
          component="section"
          aria-label="Changes that are not saved"
          withBorder
          p="md"
          style={{ borderColor: 'var(--mantine-color-anchor)', background: 'var(--sluice-raised)' }}
        >
          <Stack gap="sm">
            <Text size="sm" fw={600}>
              Not saved yet
            </Text>
            <List size="sm">
              {changes.map(change => (
                <List.Item key={change} className="wrap">
                  {change}
                </List.Item>
              ))}
            </List>
            <ApiCall call={describeCall(update, input)} />
            {save.isError ? (
              <Alert color="red" title="The custom fields were not saved" icon={<AlertIcon />} role="alert">
                <FailureText error={save.error} />
              </Alert>
            ) : null}
            <Group>
              <Permitted needs="zoneLogs write">
                {barred => (
                  <Button loading={save.isPending} onClick={() => save.mutate(input)} {...barred}>
                    Save
                  </Button>
                )}
              </Permitted>
              <Button variant="default" onClick={discard} disabled={save.isPending}>
                Discard
              </Button>
            </Group>
          </Stack>
        </Paper>
      )}
    </Stack>
  )
}

function useSave(zoneId: string, onDone: () => void) {
  const queries = useQueryClient()
  return useChange(update, {
    done: 'The custom fields are saved; records have them from now on',
    failed: '',
    quietFailure: true,
    changes: [
      'GET /zones/{zone_id}/rulesets',
      'GET /zones/{zone_id}/rulesets/phases/{phase}/entrypoint',
      'GET /zones/{zone_id}/rulesets/phases/{phase}/entrypoint/versions',
    ],
    onDone: ruleset => {
      queries.setQueryData(entryPointKey(zoneId, phase), ruleset)
      onDone()
    },
  })
}

function sampleText({ records, isPending, error }: ReturnType<typeof useSample>): string {
  if (isPending) return 'The last values are being read …'
  if (error !== null)
    return isPermission(error) ? 'To see values, the token needs Logs Read.' : `No values: ${error.message}.`
  if (records.length === 0) return 'No records are kept yet. Send a request to the zone to see values.'
  return records.length === 1
    ? 'Values are from the last record.'
    : `Values are from the last ${records.length.toLocaleString()} records.`
}
