import { Alert, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useMay } from '../../api/permissions.ts'
import { type AddressState, addressNames } from '../../domain/links/try-link.ts'
import { ApiCall } from '../../ui/display/api-call.tsx'
import { AlertIcon, PlayIcon } from '../../ui/display/icons.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { EmptyState, FailureState } from '../../ui/page/states.tsx'
import { draftOf, sharedState } from './address-state.ts'
import { readCurl } from './read/curl-command.ts'
import { curlOf } from './read/curl-text.ts'
import { rawOf, readRaw } from './read/raw-request.ts'
import type { Read } from './read/read.ts'
import { originOf } from './read/url-text.ts'
import { CopyCurl } from './request/copy-curl.tsx'
import { ExamplesMenu } from './request/examples-menu.tsx'
import { PasteField } from './request/paste-field.tsx'
import { RequestForm } from './request/request-form.tsx'
import { emptyDraft, type RequestDraft } from './request-draft.ts'
import classes from './trace/trace.module.css'
import { TraceResult } from './trace/trace-result.tsx'
import { useTrace } from './trace/use-trace.ts'

type InputFormat = 'curl' | 'raw' | 'form'

const formats: { readonly value: InputFormat; readonly label: string }[] = [
  { value: 'curl', label: 'curl command' },
  { value: 'raw', label: 'Raw HTTP' },
  { value: 'form', label: 'Form' },
]

export default function TryPage() {
  const { may, reason } = useMay('requestTracer read')
  const { trace, callOf } = useTrace()
  const address = useAddress()
  const request = useRequest(() => draftOf(address.state))
  const { ready } = request
  const [tried, setTried] = useState<RequestDraft>()
  const [leftOut, setLeftOut] = useState<readonly string[]>([])

  const run = (what: RequestDraft) => {
    const shared = sharedState(what)
    setLeftOut(shared.leftOut)
    address.set(shared.state)
    setTried(what)
    trace.mutate(what)
  }
  useFirst(() => {
    if (request.draft.url !== '' && may) run(request.draft)
  })

  return (
    <>
      <PageHeader
        title="Try a request"
        text="Trace a request through every rule of the running edge, with its log records. The request does not reach the origin; nothing is counted or logged."
        actions={
          <>
            <ExamplesMenu onChoose={request.replace} origin={originOf(request.draft.url)} />
            <CopyCurl draft={ready?.url === '' ? undefined : ready} />
          </>
        }
      />
      {may ? null : <MayNot reason={reason} />}
      <div className={classes['columns']}>
        <form
          onSubmit={event => {
            event.preventDefault()
            if (ready !== undefined && may) run(ready)
          }}
        >
          <Stack gap="md">
            <RequestInput request={request} />
            <Group gap="sm">
              <TryButton busy={trace.isPending} disabled={!may || ready === undefined || ready.url === ''} />
              <LeftOut names={leftOut} />
            </Group>
            {tried === undefined ? null : <ApiCall call={callOf(tried)} />}
          </Stack>
        </form>
        <Result trace={trace} />
      </div>
    </>
  )
}

function TryButton({ busy, disabled }: { readonly busy: boolean; readonly disabled: boolean }) {
  return (
    <Button type="submit" leftSection={<PlayIcon size={16} />} loading={busy} disabled={disabled}>
      Trace
    </Button>
  )
}

function MayNot({ reason }: { readonly reason: string | undefined }) {
  return (
    <Alert color="yellow" icon={<AlertIcon />} mb="md" title="No permission to trace requests">
      {reason}
    </Alert>
  )
}

/** Names the omitted headers: addresses are shared, so credentials stay out of them. */
function LeftOut({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <Text size="sm" c="dimmed" flex="1 1 200px">
      You can share the address of this page; it does not include {names.join(', ')}.
    </Text>
  )
}

function RequestInput({ request }: { readonly request: ReturnType<typeof useRequest> }) {
  const { format, draft, pasted, read, change, setDraft, setPasted } = request
  return (
    <>
      <SegmentedControl
        data={formats}
        value={format}
        onChange={value => change(value as InputFormat)}
        aria-label="Request format"
        w="fit-content"
      />
      {format === 'form' ? (
        <RequestForm draft={draft} onChange={setDraft} />
      ) : (
        <PasteField
          format={format}
          text={pasted}
          onChange={setPasted}
          read={read}
          draft={draft}
          onDraft={setDraft}
        />
      )}
    </>
  )
}

function Result({ trace }: { readonly trace: ReturnType<typeof useTrace>['trace'] }) {
  return (
    <div aria-live="polite">
      {trace.isError ? <FailureState title="Trace failed" error={trace.error} /> : null}
      {trace.isIdle ? (
        <EmptyState
          title="No trace yet"
          text="Shows all phases and rules in order, the score of matching rules, the action, and the log records."
        />
      ) : null}
      {trace.data === undefined || trace.isPending ? null : (
        <TraceResult key={trace.data.ray_id} trace={trace.data} />
      )}
    </div>
  )
}

/** The request as typed or pasted; `ready` when it is valid. */
function useRequest(initial: () => RequestDraft | undefined) {
  const [draft, setDraft] = useState<RequestDraft>(() => initial() ?? emptyDraft)
  const [format, setFormat] = useState<InputFormat>(() => (draft.url === '' ? 'curl' : 'form'))
  const [pasted, setPasted] = useState('')
  const read = readPasted(format, pasted, draft)
  const ready = read === undefined ? draft : read.ok ? read.value : undefined
  const change = (next: InputFormat) => {
    const current = ready ?? draft
    setDraft(current)
    setPasted(current.url === '' ? '' : textOf(current, next))
    setFormat(next)
  }
  const replace = (next: RequestDraft) => {
    setDraft(next)
    setPasted(textOf(next, format))
  }
  return { draft, setDraft, format, pasted, setPasted, read, ready, change, replace }
}

/** The text of the request; empty for the form. */
function textOf(draft: RequestDraft, format: InputFormat): string {
  return format === 'curl' ? curlOf(draft) : format === 'raw' ? rawOf(draft) : ''
}

/** Undefined when nothing is pasted: the form is in use. */
function readPasted(
  format: InputFormat,
  pasted: string,
  draft: RequestDraft,
): Read<RequestDraft> | undefined {
  if (format === 'form' || pasted.trim() === '') return format === 'form' ? undefined : nothing
  const read = format === 'curl' ? readCurl(pasted) : readRaw(pasted, originOf(draft.url))
  if (!read.ok) return read
  const { clientIp, country, cleared } = draft
  return { ...read, value: { ...read.value, clientIp, country, cleared } }
}

const nothing: Read<RequestDraft> = { ok: false, reason: '' }

/** Writes the request to the address and keeps other parameters. */
function useAddress() {
  const state = useSearch({ strict: false }) as AddressState
  const navigate = useNavigate()
  const set = (next: AddressState) => {
    const cleared = Object.fromEntries(addressNames.map(name => [name, undefined]))
    const change = (before: object) => ({ ...before, ...cleared, ...next })
    void navigate({ to: '.', search: change as never, replace: true, resetScroll: false })
  }
  return { state, set }
}

/** Runs once, on mount. */
function useFirst(act: () => void): void {
  const done = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: later changes must not run it again
  useEffect(() => {
    if (done.current) return
    done.current = true
    act()
  }, [])
}
