import { Alert, Button, Group, List, Paper, Progress, Skeleton, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { describeCall, type Input } from '../../api/client.ts'
import { isPermission } from '../../api/failure.ts'
import type { Ruleset } from '../../api/types.ts'
import { type Sample, useSample } from '../../domain/logs/log-sample.ts'
import { entryPointKey, useEntryPoint } from '../../domain/ruleset/entry-point.ts'
import { useZoneId } from '../../domain/zone/use-zone-id.ts'
import { Permitted } from '../../ui/controls/permitted.tsx'
import { useChange } from '../../ui/controls/use-change.ts'
import { ApiCall } from '../../ui/display/api-call.tsx'
import { FailureText } from '../../ui/display/failure-text.tsx'
import { AlertIcon } from '../../ui/display/icons.tsx'
import { TextLink } from '../../ui/page/links.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { FailureState } from '../../ui/page/states.tsx'
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

/** The headers and cookies that the zone's log records include. */
export default function CustomFieldsPage() {
  const zoneId = useZoneId()
  const entryPoint = useEntryPoint(zoneId, phase)
  return (
    <>
      <PageHeader
        title="Custom fields"
        text={
          <>
            Headers and cookies in the log records of this zone. A{' '}
            <TextLink to={`/zones/${zoneId}/logpush`} inherit underline="always">
              Logpush job
            </TextLink>{' '}
            delivers them if its fields include RequestHeaders, ResponseHeaders or Cookies.
          </>
        }
      />
      {entryPoint.isError ? (
        <FailureState title="Failed to load custom fields" error={entryPoint.error} />
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
  /** Null when the zone has none. */
  readonly entryPoint: Ruleset | null
}

function Editor({ zoneId, entryPoint }: EditorProps) {
  const queries = useQueryClient()
  const [draft, setDraft] = useDraft(zoneId)
  // The write names the version it is based on, so it does not overwrite changes of others.
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
      <Used count={fields.length} />
      {on > 1 ? (
        <Text size="sm" c="dimmed">
          The fields are spread over {on} rules. Saving merges them into one.
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
      <SampleState sample={sample} />
      {changes.length === 0 ? null : (
        <Unsaved changes={changes} input={input} save={save} onDiscard={discard} />
      )}
    </Stack>
  )
}

function Used({ count }: { readonly count: number }) {
  return (
    <Paper
      withBorder
      p="md"
      style={{ borderColor: 'var(--sluice-line)', background: 'var(--sluice-raised)' }}
      maw={520}
    >
      <Group justify="space-between" mb={6}>
        <Text size="sm" fw={600} role="status">
          {count} of {fieldsMax} custom fields
        </Text>
        <Text size="xs" c="dimmed">
          headers and cookies combined
        </Text>
      </Group>
      <Progress value={(count / fieldsMax) * 100} aria-label="Custom fields used" />
      <Text size="xs" c="dimmed" mt={6}>
        The values of one record may total 8 KB; longer values are cut. Secrets such as credentials are
        redacted first.
      </Text>
    </Paper>
  )
}

function SampleState({ sample }: { readonly sample: Sample }) {
  return (
    <Group gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {sampleText(sample)}
      </Text>
      <Button size="compact-xs" variant="subtle" loading={sample.isFetching} onClick={sample.refresh}>
        Refresh
      </Button>
    </Group>
  )
}

interface UnsavedProps {
  readonly changes: readonly string[]
  readonly input: Input<typeof update>
  readonly save: ReturnType<typeof useSave>
  onDiscard(): void
}

function Unsaved({ changes, input, save, onDiscard }: UnsavedProps) {
  return (
    <Paper
      component="section"
      aria-label="Unsaved changes"
      withBorder
      p="md"
      style={{ borderColor: 'var(--mantine-color-anchor)', background: 'var(--sluice-raised)' }}
    >
      <Stack gap="sm">
        <Text size="sm" fw={600}>
          Unsaved changes
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
          <Alert color="red" title="Failed to save custom fields" icon={<AlertIcon />} role="alert">
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
          <Button variant="default" onClick={onDiscard} disabled={save.isPending}>
            Discard
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}

function useSave(zoneId: string, onDone: () => void) {
  const queries = useQueryClient()
  return useChange(update, {
    done: 'Custom fields saved; new records include them',
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

function sampleText({ records, isPending, error }: Sample): string {
  if (isPending) return 'Loading recent values …'
  if (error !== null)
    return isPermission(error)
      ? 'Values need the permission Logs Read.'
      : `Failed to load values: ${error.message}.`
  if (records.length === 0) return 'No records yet. Send a request to the zone to see values.'
  return records.length === 1
    ? 'Values from the last record.'
    : `Values from the last ${records.length.toLocaleString()} records.`
}
