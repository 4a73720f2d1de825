import { Paper, Stack, Tabs, Text, Title } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { RequestTrace } from '../../../api/types.ts'
import { useUrlState } from '../../../ui/address/use-url-state.ts'
import { CodeBlock } from '../../../ui/display/code-block.tsx'
import { PhaseList } from './phase-list.tsx'
import classes from './trace.module.css'
import { verdictOf } from './trace-text.ts'

export function TraceResult({ trace }: { readonly trace: RequestTrace }) {
  const verdict = verdictOf(trace)
  const [tab, setTab] = useUrlState('show', 'rules')
  const paper = useRef<HTMLDivElement>(null)
  // In a one-column layout, the result is below the request.
  useEffect(() => {
    paper.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <Stack gap="md">
      <Paper ref={paper} withBorder p="md" className={classes['verdict']} data-tone={verdict.tone}>
        <Title order={2} c={`var(--sluice-${verdict.tone})`}>
          {verdict.title}
        </Title>
        <Text size="sm" mt={4} className="wrap">
          {verdict.text}
        </Text>
      </Paper>
      <Tabs value={tab} onChange={value => setTab(value ?? 'rules')} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="rules">Phases and rules</Tabs.Tab>
          <Tabs.Tab value="records">Log records</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="rules">
          <PhaseList phases={trace.trace} />
        </Tabs.Panel>
        <Tabs.Panel value="records">
          <Records records={trace.records} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}

function Records({ records }: Pick<RequestTrace, 'records'>) {
  const { http_requests: request, firewall_events: events, not_known: notKnown } = records
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        Records for Logpush and analytics, with secrets redacted. Only real requests fill{' '}
        <span className="mono wrap">{notKnown.join(', ')}</span>.
      </Text>
      <section aria-label="http_requests">
        <Title order={3} mb="xs">
          http_requests
        </Title>
        <CodeBlock text={JSON.stringify(request, undefined, 2)} what="http_requests record" />
      </section>
      <section aria-label="firewall_events">
        <Title order={3} mb="xs">
          {events.length === 0 ? 'No firewall_events' : `firewall_events (${events.length})`}
        </Title>
        {events.length === 0 ? (
          <Text size="sm" c="dimmed">
            No security rule acts on this request.
          </Text>
        ) : (
          <CodeBlock
            text={events.map(event => JSON.stringify(event, undefined, 2)).join('\n')}
            what="firewall_events records"
          />
        )}
      </section>
    </Stack>
  )
}
