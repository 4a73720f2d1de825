import { Alert, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useMay } from '../../api/permissions.ts'
import { ApiCall } from '../../ui/api-call.tsx'
import { AlertIcon, PlayIcon } from '../../ui/icons.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, FailureState } from '../../ui/states.tsx'
import { type AddressState, addressNames, draftOf, sharedState } from './address-state.ts'
import { CopyCurl } from './copy-curl.tsx'
import { readCurl } from './curl-command.ts'
import { curlOf } from './curl-text.ts'
import { ExamplesMenu } from './examples-menu.tsx'
import { PasteField } from './paste-field.tsx'
import { rawOf, readRaw } from './raw-request.ts'
import type { Read } from './read.ts'
import { emptyDraft, type RequestDraft } from './request-draft.ts'
import { RequestForm } from './request-form.tsx'
import classes from './trace.module.css'
import { TraceResult } from './trace-result.tsx'
import { originOf } from './url-text.ts'
import { useTrace } from './use-trace.ts'

type Way = 'curl' | 'raw' | 'form'

const ways: { readonly value: Way; readonly label: string }[] = [
  { value: 'curl', label: 'curl command' },
  { value: 'raw', label: 'Raw HTTP' },
  { value: 'form', label: 'Form' },
]

export default function TryPage() {
  const { may, reason } = useMay('requestTracer read')
  const { trace, callOf } = useTrace()
  const address = useAddress()
  const [draft, setDraft] = useState<RequestDraft>(() => draftOf(address.state) ?? emptyDraft)
  const [way, setWay] = useState<Way>(() => (draft.url === '' ? 'curl' : 'form'))
  const [pasted, setPasted] = useState('')
  const [tried, setTried] = useState<RequestDraft>()
  const [leftOut, setLeftOut] = useState<readonly string[]>([])

  const read = readPasted(way, pasted, draft)
  const ready = read === undefined ? draft : read.ok ? read.value : undefined

  const run = (what: RequestDraft) => {
    const shared = sharedState(what)
    setLeftOut(shared.leftOut)
    address.set(shared.state)
    setTried(what)
    trace.mutate(what)
  }
  useFirst(() => {
    if (draft.url !== '' && may) run(draft)
  })
  const change = (next: Way) => {
    const current = ready ?? draft
    setDraft(current)
    setPasted(
      current.url === '' ? '' : next === 'curl' ? curlOf(current) : next === 'raw' ? rawOf(current) : '',
    )
    setWay(next)
  }
  const replace = (next: RequestDraft) => {
    setDraft(next)
    setPasted(way === 'curl' ? curlOf(next) : way === 'raw' ? rawOf(next) : '')
  }

  return (
    <>
      <PageHeader
        title="Try a request"
        text="See what every rule would do with a request, and what would be logged. It goes through the running edge, but not to the origin; nothing is counted and nothing is written."
        actions={
          <>
            <ExamplesMenu onChoose={replace} origin={originOf(draft.url)} />
            <CopyCurl draft={ready?.url === '' ? undefined : ready} />
          </>
        }
      />
      {may ? null : (
        <Alert color="yellow" icon={<AlertIcon />} mb="md" title="This token may not try requests">
          {reason}
        </Alert>
      )}
      <div className={classes['columns']}>
        <form
          onSubmit={event => {
            event.preventDefault()
            if (ready !== undefined && may) run(ready)
          }}
        >
          <Stack gap="md">
            <SegmentedControl
              data={ways}
              value={way}
              onChange={value => change(value as Way)}
              aria-label="How the request is given"
              w="fit-content"
            />
            {way === 'form' ? (
              <RequestForm draft={draft} onChange={setDraft} />
            ) : (
              <PasteField
                way={way}
                text={pasted}
                onChange={setPasted}
                read={read}
                draft={draft}
                onDraft={setDraft}
              />
            )}
            <Group gap="sm">
              <Button
                type="submit"
                leftSection={<PlayIcon size={16} />}
                loading={trace.isPending}
                disabled={!may || ready === undefined || ready.url === ''}
              >
                Try it
              </Button>
              {leftOut.length > 0 ? (
                <Text size="sm" c="dimmed" flex="1 1 200px">
                  The address of this page can be passed on; {leftOut.join(', ')}{' '}
                  {leftOut.length === 1 ? 'is' : 'are'} not in it.
                </Text>
              ) : null}
            </Group>
            {tried === undefined ? null : <ApiCall call={callOf(tried)} />}
          </Stack>
        </form>
        <div aria-live="polite">
          {trace.isError ? <FailureState title="The request was not tried" error={trace.error} /> : null}
          {trace.isIdle ? (
            <EmptyState
              title="Nothing tried yet"
              text="Here you will see every phase and rule in order, the score that matching rules come to, the action, and the records."
            />
          ) : null}
          {trace.data === undefined || trace.isPending ? null : (
            <TraceResult key={trace.data.ray_id} trace={trace.data} />
          )}
        </div>
      </div>
    </>
  )
}

/** Undefined when nothing is pasted: the form is filled in instead. */
function readPasted(way: Way, pasted: string, draft: RequestDraft): Read<RequestDraft> | undefined {
  if (way === 'form' || pasted.trim() === '') return way === 'form' ? undefined : nothing
  const read = way === 'curl' ? readCurl(pasted) : readRaw(pasted, originOf(draft.url))
  if (!read.ok) return read
  const { clientIp, country, cleared } = draft
  return { ...read, value: { ...read.value, clientIp, country, cleared } }
}

const nothing: Read<RequestDraft> = { ok: false, reason: '' }

/** The request in the address; other things that stand there stay. */
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

/** Once, when the page is there. */
function useFirst(act: () => void): void {
  const done = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what changes later is no first time
  useEffect(() => {
    if (done.current) return
    done.current = true
    act()
  }, [])
}
