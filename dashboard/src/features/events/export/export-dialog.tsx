import { Alert, Button, Group, Loader, Modal, Radio, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useZone } from '../../../domain/zone/use-zone.ts'
import { ApiCall } from '../../../ui/display/api-call.tsx'
import { FailureText } from '../../../ui/display/failure-text.tsx'
import { AlertIcon } from '../../../ui/display/icons.tsx'
import { momentText } from '../../../ui/display/local-time.ts'
import type { EventQuery } from '../use-events.ts'
import {
  type ExportFormat,
  type ExportQuery,
  exportCall,
  type Progress,
  readExport,
  saveFile,
} from './save-export.ts'

interface Props {
  readonly opened: boolean
  readonly query: EventQuery
  readonly filtered: boolean
  readonly onClose: () => void
}

const formats: readonly { readonly value: ExportFormat; readonly label: string; readonly text: string }[] = [
  { value: 'ndjson', label: 'JSON', text: 'One event per line, with all its fields.' },
  { value: 'csv', label: 'CSV', text: 'For spreadsheets: one event per line, matched rules in one cell.' },
]

export function ExportDialog(props: Props) {
  const { opened, onClose } = props
  return (
    <Modal opened={opened} onClose={onClose} title="Export events" size="lg" closeOnClickOutside={false}>
      {opened ? <Content {...props} /> : null}
    </Modal>
  )
}

/** State of one export. */
type State =
  | { readonly kind: 'ready' }
  | { readonly kind: 'running'; readonly progress: Progress }
  | { readonly kind: 'saved'; readonly progress: Progress; readonly name: string }
  | { readonly kind: 'failed'; readonly error: unknown }

function Content({ query: { zoneId, range, filter }, filtered, onClose }: Props) {
  const zone = useZone()
  const [format, setFormat] = useState<ExportFormat>('ndjson')
  const query = { since: range.since, until: range.until, ...filter, format }
  const name = `events-${zone.name}-${range.since.slice(0, 10)}.${format}`
  const { state, save, stop } = useExport(zoneId, query, name)
  return (
    <Stack>
      <Text size="sm">
        Every {filtered ? 'matching ' : ''}event from {momentText(range.since)} to {momentText(range.until)},
        without sampling or limit.
      </Text>
      <FormatChoice value={format} disabled={state.kind === 'running'} onChange={setFormat} />
      <ApiCall call={exportCall(zoneId, query)} />
      <div role="status">
        <Status state={state} format={format} />
      </div>
      {state.kind === 'failed' ? (
        <Alert color="red" icon={<AlertIcon />} role="alert" title="Export failed">
          <FailureText error={state.error} />
        </Alert>
      ) : null}
      <Group justify="flex-end">
        {state.kind === 'running' ? (
          <Button variant="default" onClick={stop}>
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

interface FormatProps {
  readonly value: ExportFormat
  readonly disabled: boolean
  readonly onChange: (format: ExportFormat) => void
}

function FormatChoice({ value, disabled, onChange }: FormatProps) {
  return (
    <Radio.Group label="Format" value={value} onChange={chosen => onChange(chosen as ExportFormat)}>
      <Stack gap="xs" mt="xs">
        {formats.map(({ value, label, text }) => (
          <Radio key={value} value={value} label={label} description={text} disabled={disabled} />
        ))}
      </Stack>
    </Radio.Group>
  )
}

/** Runs one export at a time; closing the dialog stops it. */
function useExport(zoneId: string, query: ExportQuery, name: string) {
  const [state, setState] = useState<State>({ kind: 'ready' })
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const save = async () => {
    const control = new AbortController()
    running.current = control
    let progress: Progress = { bytes: 0, lines: 0 }
    let shownMs = 0
    setState({ kind: 'running', progress })
    try {
      const content = await readExport(zoneId, query, control.signal, next => {
        progress = next
        // Limits redraws: chunks arrive faster than users can read.
        if (performance.now() - shownMs < 100) return
        shownMs = performance.now()
        setState({ kind: 'running', progress })
      })
      saveFile(content, name)
      setState({ kind: 'saved', progress, name })
    } catch (error) {
      setState(control.signal.aborted ? { kind: 'ready' } : { kind: 'failed', error })
    }
  }
  return { state, save, stop: () => running.current?.abort() }
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
        {amountText(state.progress, format)} saved in {state.name}.
      </Text>
    )
  return null
}

/** CSV cells can contain line breaks, so only the size is known. */
function amountText({ bytes, lines }: Progress, format: ExportFormat): string {
  const size =
    bytes < 1e6 ? `${Math.ceil(bytes / 1e3).toLocaleString()} KB` : `${(bytes / 1e6).toFixed(1)} MB`
  return format === 'csv' ? size : `${lines.toLocaleString()} ${lines === 1 ? 'event' : 'events'}, ${size}`
}
