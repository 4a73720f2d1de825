import { Alert, Button, Group, Loader, Modal, Radio, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { ApiCall } from '../../ui/api-call.tsx'
import { FailureText } from '../../ui/failure-text.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import { momentText } from '../../ui/local-time.ts'
import { useZone } from '../../ui/use-zone.ts'
import { type ExportFormat, exportCall, type Progress, readExport, saveFile } from './save-export.ts'
import type { Question } from './use-events.ts'

interface Props {
  readonly opened: boolean
  readonly question: Question
  readonly filtered: boolean
  readonly onClose: () => void
}

const formats: readonly { readonly value: ExportFormat; readonly label: string; readonly text: string }[] = [
  { value: 'ndjson', label: 'JSON', text: 'One event a line, with everything that is known of it.' },
  { value: 'csv', label: 'CSV', text: 'For spreadsheets: one event a line, matched rules in one cell.' },
]

export function ExportDialog(props: Props) {
  const { opened, onClose } = props
  return (
    <Modal opened={opened} onClose={onClose} title="Export events" size="lg" closeOnClickOutside={false}>
      {opened ? <Content {...props} /> : null}
    </Modal>
  )
}

/** Of one export, from its beginning to a file or a failure. */
type State =
  | { readonly kind: 'ready' }
  | { readonly kind: 'running'; readonly progress: Progress }
  | { readonly kind: 'saved'; readonly progress: Progress; readonly name: string }
  | { readonly kind: 'failed'; readonly error: unknown }

function Content({ question: { zoneId, range, filter }, filtered, onClose }: Props) {
  const zone = useZone()
  const [format, setFormat] = useState<ExportFormat>('ndjson')
  const [state, setState] = useState<State>({ kind: 'ready' })
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const query = { since: range.since, until: range.until, ...filter, format }
  const save = async () => {
    const control = new AbortController()
    running.current = control
    let progress: Progress = { bytes: 0, lines: 0 }
    let shownMs = 0
    setState({ kind: 'running', progress })
    try {
      const content = await readExport(zoneId, query, control.signal, next => {
        progress = next
        // Chunks are many, and nobody reads faster than this.
        if (performance.now() - shownMs < 100) return
        shownMs = performance.now()
        setState({ kind: 'running', progress })
      })
      const name = `events-${zone.name}-${range.since.slice(0, 10)}.${format}`
      saveFile(content, name)
      setState({ kind: 'saved', progress, name })
    } catch (error) {
      setState(control.signal.aborted ? { kind: 'ready' } : { kind: 'failed', error })
    }
  }
  return (
    <Stack>
      <Text size="sm">
        Every event {filtered ? 'that the filter keeps ' : ''}from {momentText(range.since)} to{' '}
        {momentText(range.until)}: nothing is sampled, and no limit cuts it off.
      </Text>
      <Radio.Group label="Format" value={format} onChange={value => setFormat(value as ExportFormat)}>
        <Stack gap="xs" mt="xs">
          {formats.map(({ value, label, text }) => (
            <Radio
              key={value}
              value={value}
              label={label}
              description={text}
              disabled={state.kind === 'running'}
            />
          ))}
        </Stack>
      </Radio.Group>
      <ApiCall call={exportCall(zoneId, query)} />
      <div role="status">
        <Status state={state} format={format} />
      </div>
      {state.kind === 'failed' ? (
        <Alert color="red" icon={<AlertIcon />} role="alert" title="The events were not exported">
          <FailureText error={state.error} />
        </Alert>
      ) : null}
      <Group justify="flex-end">
        {state.kind === 'running' ? (
          <Button variant="default" onClick={() => running.current?.abort()}>
            Stop
          </Button>
        ) : (
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        )}
        <Button loading={state.kind === 'running'} onClick={() => void save()}>
          Save as file
        </Button>
      </Group>
    </Stack>
  )
}

function Status({ state, format }: { readonly state: State; readonly format: ExportFormat }) {
  if (state.kind === 'running')
    return (
      <Group gap="sm">
        <Loader size="xs" />
        <Text size="sm">{amountText(state.progress, format)} so far</Text>
      </Group>
    )
  if (state.kind === 'saved')
    return (
      <Text size="sm">
        {amountText(state.progress, format)}: all of them, in {state.name}.
      </Text>
    )
  return null
}

/** Cells of CSV can have line breaks of their own, so that only bytes are known of it. */
function amountText({ bytes, lines }: Progress, format: ExportFormat): string {
  const size =
    bytes < 1e6 ? `${Math.ceil(bytes / 1e3).toLocaleString()} KB` : `${(bytes / 1e6).toFixed(1)} MB`
  return format === 'csv' ? size : `${lines.toLocaleString()} ${lines === 1 ? 'event' : 'events'}, ${size}`
}
