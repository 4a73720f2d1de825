import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import type { ZoneOverview } from '../analytics/index.ts'
import { newCipher } from '../kit/cipher.ts'
import { newId } from '../kit/ids.ts'
import type { CertificateReport } from '../model/certificate.ts'
import type { AlertName, NotificationPolicy } from '../model/notification.ts'
import { openSqliteStore, type Store } from '../store/index.ts'
import { aJob, anAccount, aZone } from '../store/testing/data.ts'
import { alertLimits } from './limits.ts'
import type { AlertSources } from './look.ts'
import { createSend, type Send } from './send/send.ts'
import { smtpServer, webhookServer } from './testing/receivers.ts'
import { type Alerts, startAlerts } from './watch.ts'

const time = '2026-01-02T03:04:05.000006Z'
const startMs = Date.parse('2026-06-01T12:00:30Z')
let directory: string
let store: Store
let webhook: Awaited<ReturnType<typeof webhookServer>>
let smtp: Awaited<ReturnType<typeof smtpServer>>
let account: ReturnType<typeof anAccount>
let zone: ReturnType<typeof aZone>
let webhookId: string
let nowMs: number
let errors: string[]

/** The answers of the sources; tests change them. */
/** In windows of five minutes. */
let events: number[]
let statuses: { readonly short: number; readonly long: number }
let certificates: CertificateReport[]
let edge: { readonly location: string; readonly host: string } | undefined
let newest: string

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-alerts-'))
  const options = { migrate: true, cipher: newCipher(new Uint8Array(32)) }
  store = await openSqliteStore(join(directory, 'sluice.db'), options)
  ;[webhook, smtp] = await Promise.all([webhookServer(), smtpServer()])
  account = anAccount()
  await store.accounts.insert(account)
  zone = aZone(account.id, { name: 'shop.test' })
  await store.zones.insert(zone)
  webhookId = newId()
  const stored = {
    ...{ id: webhookId, accountId: account.id, createdOn: time, name: 'hook' },
    ...{ url: webhook.url, secret: 'the secret' },
  }
  await store.notifications.change(account.id, { kind: 'webhook', id: webhookId, stored })
})

after(async () => {
  webhook.close()
  smtp.close()
  await store.close()
  await rm(directory, { recursive: true })
})

beforeEach(async () => {
  for (const { id } of (await store.notifications.read(account.id)).policies)
    await store.notifications.change(account.id, { kind: 'policy', id, stored: undefined })
  await store.notifications.forget('9')
  webhook.posted.length = 0
  smtp.mails.length = 0
  webhook.state.status = 204
  nowMs = startMs
  errors = []
  events = []
  statuses = { short: 0, long: 0 }
  certificates = []
  edge = { location: 'e1', host: 'edge-1' }
  newest = '4.0.0'
})

const overview = (errors: number): ZoneOverview => ({
  range: { sinceMs: 0, untilMs: 0 },
  requests: 1000,
  mitigated: 0,
  events: 0,
  bytes: 0,
  requestBytes: 0,
  statuses: [0, 0, 1000 - errors, 0, 0, errors],
  mitigatedByAction: [],
  mitigatedBySource: [],
})

const sources = (): AlertSources => ({
  store,
  analytics: {
    accountOverview: async () => [
      { zoneId: zone.id, hour: { requests: 1000, mitigated: 0 }, day: { requests: 1000, mitigated: 0 } },
    ],
    timeseries: async (_zone, { range, stepMs }) => {
      assert.equal((range.untilMs - range.sinceMs) / stepMs, 5 * Math.max(events.length, 73))
      const counts = events.flatMap(count => [count - 4, 1, 1, 1, 1])
      return { range, stepMs, series: [{ value: 'events', ref: '', total: 0, counts }], other: undefined }
    },
    zoneOverview: async (_zone, { sinceMs, untilMs }) =>
      overview(untilMs - sinceMs === 300_000 ? statuses.short : statuses.long),
  },
  reportJob: async ({ lastError }) => ({
    ...{ state: 'running', counts: [], lags: [], lost: 0, held: 0 },
    oldestUndelivered: lastError,
  }),
  certificates: async () => certificates,
  edge: () => edge,
  newestCrsRelease: async () => {
    if (newest === '') throw new Error('upstream does not answer')
    return newest
  },
})

async function aPolicy(alertType: AlertName, changes: Partial<NotificationPolicy> = {}) {
  const stored: NotificationPolicy = {
    ...{ id: newId(), accountId: account.id, createdOn: time, modifiedOn: time, name: 'The team' },
    ...{ alertType, enabled: true, mechanisms: { webhooks: [{ id: webhookId }] }, ...changes },
  }
  await store.notifications.change(account.id, { kind: 'policy', id: stored.id, stored })
  return stored
}

const sends = (url = smtp.url): Send => createSend('loopback', { url, from: 'sluice@shop.test' })

/** One look of one process, which then leaves the watch. */
async function look(send: Send = sends()): Promise<void> {
  const alerts = started(send)
  await alerts.look()
  await alerts.stop()
}

function started(send: Send = sends()): Alerts {
  return startAlerts({
    sources: sources(),
    clock: { nowMs: () => nowMs },
    send,
    onSent: (_, problem) => problem && errors.push((problem.error as Error).message),
    onError: (message, error) => errors.push(`${message}: ${(error as Error).message}`),
  })
}

const texts = () => webhook.posted.map(({ body }) => body.text as string)

test('a stopped job is told once to each receiver, and once when it resumes, over several processes', async () => {
  const { id } = await store.jobs.insert(aJob({ kind: 'zone', id: zone.id }, { name: 'to S3' }))
  const healthy = { lastComplete: null, lastError: null, errorMessage: null, paused: false }
  const policy = await aPolicy('failing_logpush_job_disabled_alert', {
    description: 'See the runbook.',
    mechanisms: { webhooks: [{ id: webhookId }], email: [{ id: 'ops@shop.test' }, { id: 'dev@shop.test' }] },
  })
  await look()
  assert.deepEqual(texts(), [])
  await store.jobs.report(id, { ...healthy, errorMessage: 'no such bucket', paused: true })
  await look()
  await look()
  const [first, second] = [started(), started()]
  await Promise.all([first.look(), second.look()])
  await Promise.all([first.stop(), second.stop()])
  const [{ headers, body } = assert.fail('nothing was sent'), ...more] = webhook.posted
  assert.equal(more.length, 0)
  assert.equal(headers['cf-webhook-auth'], 'the secret')
  const { alert_correlation_id: correlation, data, ...rest } = body
  assert.deepEqual(rest, {
    name: 'The team',
    text: `Logpush job ${id}, to S3 (http_requests), has stopped: no such bucket. Edit the job to resume.`,
    ts: Math.floor(startMs / 1000),
    account_id: account.id,
    policy_id: policy.id,
    policy_name: 'The team',
    alert_type: 'failing_logpush_job_disabled_alert',
    alert_event: 'ALERT_STATE_EVENT_START',
  })
  assert.equal(data.job_id, id)
  assert.deepEqual(smtp.mails.flatMap(({ to }) => to).sort(), ['dev@shop.test', 'ops@shop.test'])
  assert.match(smtp.mails[0]!.text, /^Subject: \[Sluice\] The team\r$/m)
  assert.match(smtp.mails[0]!.text, /has stopped: no such bucket[\s\S]+See the runbook\./)
  await store.jobs.report(id, healthy)
  await look()
  await look()
  assert.equal(texts().length, 2)
  const { body: end } = webhook.posted[1]!
  assert.deepEqual(
    [end.alert_event, end.alert_correlation_id, end.text],
    ['ALERT_STATE_EVENT_END', correlation, `Logpush job ${id}, to S3 (http_requests), has resumed.`],
  )
  assert.match(smtp.mails.at(-1)!.text, /^Subject: \[Sluice\] Resolved: The team\r$/m)
  const { total } = await store.notifications.sent(account.id, { offset: 0, limit: 9 })
  assert.equal(total, 6)
  assert.deepEqual(errors, [])
  await store.jobs.delete({ kind: 'zone', id: zone.id }, id)
})

test('a job is behind after ten minutes, and not before', async () => {
  const { id } = await store.jobs.insert(aJob({ kind: 'zone', id: zone.id }, { name: null }))
  await aPolicy('sluice_logpush_job_lag_alert')
  const waited = async (ms: number) => {
    const lastError = new Date(nowMs - ms).toISOString()
    await store.jobs.report(id, { lastComplete: null, lastError, errorMessage: 'HTTP 503', paused: false })
    await look()
  }
  await waited(alertLimits.lagMs - 1000)
  assert.deepEqual(texts(), [])
  await waited(alertLimits.lagMs)
  await waited(alertLimits.lagMs - 1000)
  const named = `Logpush job ${id} (http_requests)`
  const late = `${named} is behind: its oldest log record has waited for 10 minutes; the last upload failed: HTTP 503.`
  assert.deepEqual(texts(), [late])
  await waited(0)
  assert.deepEqual(texts(), [late, `${named} has caught up.`])
  await store.jobs.delete({ kind: 'zone', id: zone.id }, id)
})

test('the state of a subject that is gone ends without an all-clear', async () => {
  const scope = { kind: 'zone', id: zone.id } as const
  const late = aJob(scope, { name: null })
  const { id } = await store.jobs.insert(late)
  const lag = await aPolicy('sluice_logpush_job_lag_alert')
  const stop = await aPolicy('failing_logpush_job_disabled_alert')
  const failed = { lastComplete: null, lastError: new Date(0).toISOString(), errorMessage: 'HTTP 503' }
  await store.jobs.report(id, { ...failed, paused: false })
  await look()
  await store.jobs.report(id, { ...failed, paused: true })
  await look()
  const named = `Logpush job ${id} (http_requests)`
  const [isLate, hasStopped, ...others] = texts()
  assert.match(isLate!, / is behind: /)
  assert.equal(hasStopped, `${named} has stopped: HTTP 503. Edit the job to resume.`)
  await store.jobs.delete(scope, id)
  await look()
  assert.deepEqual([others, texts().length], [[], 2])
  for (const { id: policy } of [lag, stop])
    await store.notifications.change(account.id, { kind: 'policy', id: policy, stored: undefined })
  const policy = await aPolicy('http_alert_edge_error', { filters: { slo: ['99.9'], zones: [zone.id] } })
  const change = (changes: Partial<NotificationPolicy>) =>
    store.notifications.change(account.id, {
      kind: 'policy',
      id: policy.id,
      stored: { ...policy, ...changes },
    })
  statuses = { short: 500, long: 500 }
  await look()
  await change({ filters: { zones: [newId()] } })
  await look()
  await change({})
  await look()
  statuses = { short: 0, long: 0 }
  await change({ filters: { slo: ['99.7'], zones: [zone.id] } })
  await look()
  assert.equal(texts().filter(text => text.startsWith('500 of 1000')).length, 2)
  assert.equal(texts().length, 4)
})

test('an occasion belongs to the type of its alert', async () => {
  const policy = await aPolicy('http_alert_edge_error')
  statuses = { short: 500, long: 500 }
  events = [...Array.from({ length: 72 }, () => 10), 5000]
  await look()
  const stored = { ...policy, alertType: 'clickhouse_alert_fw_anomaly' }
  await store.notifications.change(account.id, { kind: 'policy', id: policy.id, stored })
  await look()
  assert.deepEqual(
    webhook.posted.map(({ body }) => [body.alert_type, body.alert_event]),
    [
      ['http_alert_edge_error', 'ALERT_STATE_EVENT_START'],
      ['clickhouse_alert_fw_anomaly', 'ALERT_STATE_EVENT_START'],
    ],
  )
})

test('certificate files are those of one edge: only it sees that one is renewed', async () => {
  const expired = {
    hosts: ['www.shop.test'],
    source: 'file',
    issuer: 'CA',
    expiresMs: 0,
    status: 'expired',
  } as const
  await aPolicy('universal_ssl_event_type')
  const [one, two] = ['1', '2'].map(n => ({ location: `e${n}`, host: `edge-${n}` }))
  const looks: readonly (readonly [typeof edge, readonly CertificateReport[]])[] = [
    [one, [expired]],
    [undefined, []],
    [two, []],
    [one, [expired]],
    [two, [expired]],
    [one, []],
    [two, [expired]],
  ]
  for (const [looking, seen] of looks) {
    edge = looking
    certificates = [...seen]
    await look()
  }
  assert.deepEqual(texts(), [
    'The certificate for www.shop.test on the edge of edge-1 has expired on 1970-01-01T00:00:00.000Z.',
    'The certificate for www.shop.test on the edge of edge-2 has expired on 1970-01-01T00:00:00.000Z.',
    'The certificate for www.shop.test on the edge of edge-1 is renewed, or no longer in use.',
  ])
})

test('a spike of security events stands out of six hours, and lasts until events are usual again', async () => {
  await aPolicy('clickhouse_alert_fw_anomaly')
  const usual = Array.from({ length: 72 }, (_, at) => (at % 2 === 0 ? 10 : 20))
  for (const now of [20, 199, 5000, 150, 15]) {
    events = [...usual, now]
    await look()
  }
  assert.deepEqual(texts(), [
    'shop.test had 5000 security events in five minutes; before, it had 15 on average.',
    'The spike of security events on shop.test is over.',
  ])
  assert.deepEqual(webhook.posted[0]!.body.data, {
    zone_tag: zone.id,
    zone_name: 'shop.test',
    alert_start_time: '2026-06-01T11:54:00.000Z',
    events_count: 5000,
  })
  events = [...usual.map(count => count * 100), 2000]
  await look()
  assert.equal(texts().length, 2, 'usual for this zone')
})

test('errors use up the objective of the policy over five minutes and an hour', async () => {
  await aPolicy('http_alert_edge_error', { filters: { slo: ['99.7'], zones: [zone.id] } })
  await aPolicy('http_alert_edge_error', { filters: { zones: [newId()] } })
  // Of 1000 responses; the burn rate of 14.4 is at 43.2.
  for (const [short, long] of [
    [500, 43],
    [43, 500],
    [44, 44],
    [4, 500],
    [2, 500],
  ] as const) {
    statuses = { short, long }
    await look()
  }
  assert.deepEqual(texts(), [
    '44 of 1000 responses of shop.test (4.4 %) had a status of 5xx in five minutes.',
    'The error rate of shop.test is back within its objective of 99.7 %.',
  ])
})

test('certificates, CRS releases and edges', async () => {
  for (const type of [
    'universal_ssl_event_type',
    'sluice_crs_release_alert',
    'sluice_edge_silent_alert',
  ] as const)
    await aPolicy(type)
  await store.crs.insert({
    ...{ crsVersion: '4.9.0', digest: '0'.repeat(64), origin: 'test', files: [] },
    managedRulesets: () => [],
  })
  const report = { source: 'acme', issuer: 'CA', expiresMs: Date.parse('2026-06-02T00:00:00Z') } as const
  certificates = [
    { ...report, hosts: ['www.shop.test'], status: 'expiring' },
    { ...report, hosts: ['active.shop.test'], status: 'active' },
  ]
  await look()
  newest = '4.10.0'
  await store.logs.write({ location: 'l', host: 'edge-7', log: 'spool' }, -1000)
  await look()
  newest = ''
  await look()
  assert.match(errors.join(), /upstream does not answer$/)
  newest = '4.9.0'
  certificates = []
  await store.logs.leave('l')
  await look()
  assert.deepEqual(
    texts()
      .map(text => text.replace(/since [^ ]+\./, 'since then.'))
      .sort(),
    [
      'OWASP CRS 4.10.0 is available; 4.9.0 is active. Import it in the dashboard, or with `sluice crs sync`.',
      'The certificate for www.shop.test expires on 2026-06-02T00:00:00.000Z.',
      'The certificate for www.shop.test is renewed, or no longer in use.',
      'The edge on edge-7 has not reached the database since then. It may serve its last plans, or be down.',
      'The edge on edge-7 reports again, or has been gone for a week.',
    ],
  )
})

test('a notification that its receiver has not taken is sent again, until it is given up', async () => {
  certificates = [{ hosts: ['www.shop.test'], source: 'file', issuer: 'CA', expiresMs: 0, status: 'expired' }]
  webhook.state.status = 503
  await aPolicy('universal_ssl_event_type', {
    mechanisms: { webhooks: [{ id: webhookId }], email: [{ id: 'ops@shop.test' }] },
  })
  const wrong = sends(smtp.wrongUrl)
  await look(wrong)
  await look(wrong)
  assert.equal(webhook.posted.length, 1, 'not before the wait is over')
  assert.match(errors.sort().join(), /127\.0\.0\.1:\d+ answers 503; it has to answer 2xx/)
  assert.match(errors.join(), /the SMTP server 127\.0\.0\.1 does not take the e-mail: .*wrong password/)
  assert.doesNotMatch(errors.join(), /s3cret|the secret/)
  assert.notEqual((await store.notifications.results(account.id)).get(webhookId)?.lastFailure, null)
  webhook.state.status = 200
  nowMs += 2 * alertLimits.firstRetryMs
  await look(wrong)
  assert.equal(webhook.posted.length, 2)
  assert.notEqual((await store.notifications.results(account.id)).get(webhookId)?.lastSuccess, null)
  for (let attempt = 0; attempt < 2 * alertLimits.attemptsMax; attempt++) {
    nowMs += 2 * alertLimits.retryMsMax
    await look(wrong)
  }
  assert.equal(errors.length, 1 + alertLimits.attemptsMax)
  assert.deepEqual([webhook.posted.length, smtp.mails.length], [2, 0])
})

test('an account whose receivers do not answer delays neither looks nor other accounts', async () => {
  const other = anAccount()
  await store.accounts.insert(other)
  await store.zones.insert(aZone(other.id, { name: 'other.test' }))
  const report = { source: 'acme', issuer: 'CA', expiresMs: 0, status: 'expired' } as const
  certificates = [
    { ...report, hosts: ['shop.test'] },
    { ...report, hosts: ['other.test'] },
  ]
  const receivers = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `${at}@shop.test` }))
  const email = receivers(alertLimits.sendsAtOnceMax + 1)
  await aPolicy('universal_ssl_event_type', { mechanisms: { email } })
  const answered = Promise.withResolvers<void>()
  const sent: string[] = []
  const alerts = started(async ({ accountId }) => {
    if (accountId === account.id) await answered.promise
    sent.push(accountId)
  })
  await alerts.look()
  await aPolicy('universal_ssl_event_type', { accountId: other.id, mechanisms: { email: receivers(1) } })
  await alerts.look()
  while (sent.length === 0) await new Promise(resolve => setImmediate(resolve))
  answered.resolve()
  await alerts.stop()
  assert.equal(sent[0], other.id)
  assert.equal(sent.length, email.length)
  const { policies } = await store.notifications.read(other.id)
  for (const { id } of policies)
    await store.notifications.change(other.id, { kind: 'policy', id, stored: undefined })
})

test('a disabled policy sends nothing, and a lasting state again once it is enabled', async () => {
  certificates = [{ hosts: ['www.shop.test'], source: 'file', issuer: 'CA', expiresMs: 0, status: 'expired' }]
  const policy = await aPolicy('universal_ssl_event_type')
  const enable = (enabled: boolean) =>
    store.notifications.change(account.id, { kind: 'policy', id: policy.id, stored: { ...policy, enabled } })
  await look()
  await enable(false)
  await look()
  assert.equal(texts().length, 1)
  await enable(true)
  await look()
  assert.equal(texts().length, 2)
})

test('no address that the settings refuse is connected to', async () => {
  const notification = {
    ...{ id: newId(), accountId: account.id, policyId: '', policyName: 'The team', policyDescription: '' },
    ...{ alertType: '', mechanismType: 'webhook' as const, mechanism: 'w' },
    ...{ event: 'ALERT_STATE_EVENT_START' as const },
    ...{ occasionId: newId(), text: 'text', data: {}, createdOn: time, sentOn: null },
  }
  const hook = { id: 'w', accountId: account.id, createdOn: time, name: 'w', url: webhook.url }
  await assert.rejects(createSend('public', undefined)(notification, [hook]), /SLUICE_DESTINATIONS=public/)
  await assert.rejects(createSend('public', undefined)(notification, []), /the webhook is gone/)
  const mail = { ...notification, mechanismType: 'email' as const }
  await assert.rejects(createSend('public', undefined)(mail, []), /SLUICE_SMTP_URL/)
  assert.deepEqual(texts(), [])
})
