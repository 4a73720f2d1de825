import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Cloudflare from 'cloudflare'
import { createSend, SendError } from '../../alerts/index.ts'
import { smtpServer, webhookServer } from '../../alerts/testing/receivers.ts'
import { newId } from '../../kit/ids.ts'
import { openTestApi, type TestApi, token } from '../testing/test-api.ts'

/** Notifications with Cloudflare's own client, a webhook and an SMTP server. */
let api: TestApi
let keeping: TestApi
let client: Cloudflare
let account_id: string
let alerting: string
let webhook: Awaited<ReturnType<typeof webhookServer>>
let smtp: Awaited<ReturnType<typeof smtpServer>>

before(async () => {
  ;[webhook, smtp] = await Promise.all([webhookServer(), smtpServer()])
  const send = createSend('loopback', { url: smtp.url, from: 'sluice@shop.test' })
  api = await openTestApi({
    sendNotification: (notification, webhooks) =>
      send(notification, webhooks).then(
        () => undefined,
        (error: unknown) => (error instanceof SendError ? error.message : assert.fail(String(error))),
      ),
  })
  keeping = await openTestApi({ notEnforced: 'keep', sendsEmail: false })
  const baseURL = `${await api.app.listen({ port: 0, host: '127.0.0.1' })}/client/v4`
  client = new Cloudflare({
    ...{ baseURL, maxRetries: 0, apiToken: token, apiEmail: null, apiKey: null, userServiceKey: null },
  })
  account_id = api.accountId
  alerting = `/accounts/${account_id}/alerting/v3`
})
after(async () => {
  webhook.close()
  smtp.close()
  await api.close()
  await keeping.close()
})

test('webhooks and policies are created, read, changed, tried and deleted with the SDK', async () => {
  const { webhooks } = client.alerting.destinations
  const hook = { account_id, name: 'Chat', url: webhook.url, secret: 'the secret' }
  const { id: hookId } = await webhooks.create(hook)
  assert.ok(hookId)
  const shown = await webhooks.get(hookId, { account_id })
  assert.deepEqual(
    [shown.name, shown.url, shown.type, shown.last_success, 'secret' in shown],
    ['Chat', webhook.url, 'generic', null, false],
  )
  const policy: Omit<Cloudflare.Alerting.PolicyCreateParams, 'account_id'> = {
    name: 'Certificates',
    description: 'See the runbook.',
    enabled: true,
    alert_type: 'universal_ssl_event_type',
    mechanisms: { webhooks: [{ id: hookId }], email: [{ id: 'ops@shop.test' }] },
  }
  const { id } = await client.alerting.policies.create({ account_id, ...policy })
  assert.ok(id)
  const { created, modified, ...stored } = await client.alerting.policies.get(id, { account_id })
  assert.deepEqual(stored, { id, ...policy })
  assert.ok(created !== undefined && created === modified)

  // The secret that a change leaves out stays.
  await webhooks.update(hookId, { account_id, name: 'Chat of the team', url: webhook.url })
  const tried = await api.send('POST', `${alerting}/policies/${id}/test`)
  assert.deepEqual(tried.body.result, [
    { mechanism_type: 'email', mechanism: 'ops@shop.test', error: null },
    { mechanism_type: 'webhook', mechanism: hookId, error: null },
  ])
  const tested = await webhooks.get(hookId, { account_id })
  assert.deepEqual([typeof tested.last_success, tested.last_failure], ['string', null])
  assert.match(smtp.mails[0]!.text, /This is a test of the notification policy Certificates\./)
  assert.equal(webhook.posted[0]!.headers['cf-webhook-auth'], 'the secret')
  assert.deepEqual(webhook.posted[0]!.body.data, { test: true })

  await client.alerting.policies.update(id, { account_id, enabled: false })
  const off = await client.alerting.policies.get(id, { account_id })
  assert.deepEqual([off.enabled, off.description], [false, 'See the runbook.'])
  await api.send('PUT', `${alerting}/policies/${id}`, { description: null })
  assert.ok(!('description' in (await client.alerting.policies.get(id, { account_id }))))
  const used = await api.send('DELETE', `${alerting}/destinations/webhooks/${hookId}`)
  assert.deepEqual([used.status, used.body.errors[0].code], [412, 10358])
  await client.alerting.policies.delete(id, { account_id })

  webhook.state.status = 500
  const failed = await api.send('POST', `${alerting}/destinations/webhooks/${hookId}/test`)
  assert.deepEqual([failed.status, failed.body.errors[0].code], [400, 10359])
  assert.match(failed.body.errors[0].message, /answers 500; it has to answer 2xx$/)
  webhook.state.status = 200
  await api.send('POST', `${alerting}/destinations/webhooks/${hookId}/test`)
  const after = await webhooks.get(hookId, { account_id })
  assert.ok(after.last_failure && after.last_success)
  await webhooks.delete(hookId, { account_id })
  const slack = await webhooks.create({ account_id, name: 'w', url: 'https://hooks.slack.com/s3cret' })
  assert.equal((await webhooks.get(slack.id!, { account_id })).type, 'slack')
  await webhooks.delete(slack.id!, { account_id })
  for await (const left of webhooks.list({ account_id })) assert.fail(left.name)
  for await (const left of client.alerting.policies.list({ account_id })) assert.fail(left.name)
  const trail = JSON.stringify(await api.store.audit.list(account_id, { offset: 0, limit: 100 }))
  assert.doesNotMatch(trail, /s3cret|the secret/)
  assert.doesNotMatch(api.logLines.join(), /s3cret|the secret/)
})

test('the alerts, the ways to send them, and the history', async () => {
  const families = await client.alerting.availableAlerts.list({ account_id })
  const types = Object.values(families).flat()
  assert.ok(types.some(({ type }) => type === 'failing_logpush_job_disabled_alert'))
  const errors = types.find(({ type }) => type === 'http_alert_edge_error')
  assert.deepEqual(
    errors?.filter_options?.map(option => (option as { Key: string }).Key),
    ['zones', 'slo'],
  )
  const ways = await client.alerting.destinations.eligible.get({ account_id })
  assert.deepEqual(ways['email'], [{ type: 'email', eligible: true, ready: true }])
  assert.equal(ways['pagerduty']?.[0]?.eligible, false)
  const without = await keeping.send(
    'GET',
    `/accounts/${keeping.accountId}/alerting/v3/destinations/eligible`,
  )
  assert.equal(without.body.result.email[0].eligible, false)
  const sent = {
    ...{ id: newId(), accountId: account_id, policyId: newId(), policyName: 'p', policyDescription: 'd' },
    ...{ alertType: 'universal_ssl_event_type', mechanismType: 'email' as const, mechanism: 'a@b.test' },
    ...{ event: 'ALERT_STATE_EVENT_START' as const, occasionId: newId(), text: 'It expires.', data: {} },
    ...{ createdOn: '2026-01-02T03:04:05.000006Z', sentOn: null },
  }
  const { alertType } = sent
  const occasion = {
    id: newId(),
    alertType,
    subject: 's',
    startedOn: sent.createdOn,
    endText: null,
    data: {},
  }
  const { body } = await api.send('POST', `${alerting}/policies`, {
    ...{ name: 'p', enabled: true, alert_type: 'universal_ssl_event_type', mechanisms: {} },
  })
  await api.store.notifications.begin({ ...occasion, policyId: body.result.id }, [sent])
  await api.store.notifications.settle(sent.id, '2026-01-02T03:04:06.000000Z')
  const history = []
  for await (const one of client.alerting.history.list({ account_id })) history.push(one)
  assert.deepEqual(history, [
    {
      id: sent.id,
      policy_id: sent.policyId,
      name: 'p',
      description: 'd',
      alert_type: 'universal_ssl_event_type',
      alert_body: 'It expires.',
      mechanism: 'a@b.test',
      mechanism_type: 'email',
      sent: '2026-01-02T03:04:06.000000Z',
    },
  ])
  const { body: none } = await api.send('GET', `${alerting}/history?since=2026-01-03`)
  assert.deepEqual([none.result, none.result_info.total_count], [[], 0])
})

test('parts without effect are refused with a reason, or stored with a message', async () => {
  const policy = { name: 'p', enabled: true, alert_type: 'universal_ssl_event_type', mechanisms: {} }
  for (const [change, pointer, reason] of [
    [{ alert_type: 'dos_attack_l7' }, '/alert_type', /dos_attack_l7/],
    [{ mechanisms: { pagerduty: [{ id: newId() }] } }, '/mechanisms/pagerduty', /webhook/],
    [{ filters: { zones: [api.zoneId] } }, '/filters/zones', /no filters/],
    [{ alert_interval: '30m' }, '/alert_interval', /sent once/],
  ] as const) {
    const refused = await api.send('POST', `${alerting}/policies`, { ...policy, ...change })
    assert.deepEqual([refused.status, refused.body.errors[0].source.pointer], [400, pointer])
    assert.match(refused.body.errors[0].message, reason)
    const path = `/accounts/${keeping.accountId}/alerting/v3/policies`
    const kept = await keeping.send('POST', path, { ...policy, ...change })
    assert.equal(kept.status, 200, JSON.stringify(kept.body))
    assert.match(kept.body.messages[0].message, reason)
  }
  const path = `/accounts/${keeping.accountId}/alerting/v3/policies`
  const mechanisms = { email: [{ id: 'ops@shop.test' }] }
  const kept = await keeping.send('POST', path, { ...policy, mechanisms })
  assert.match(kept.body.messages[0].message, /SLUICE_SMTP_URL/)
})

test('a stored secret goes to no other server', async () => {
  const other = await webhookServer()
  const hooks = `${alerting}/destinations/webhooks`
  const hook = { name: 'moved', url: `${webhook.url}/a`, secret: 'the secret' }
  const { id } = (await api.send('POST', hooks, hook)).body.result
  const put = (body: unknown) => api.send('PUT', `${hooks}/${id}`, body)
  const refused = await put({ name: 'moved', url: other.url })
  assert.deepEqual([refused.status, refused.body.errors[0].source.pointer], [400, '/secret'])
  assert.match(refused.body.errors[0].message, /send `secret` too/)
  assert.equal((await put({ name: 'moved', url: `${webhook.url}/b` })).status, 200)
  assert.equal((await put({ name: 'moved', url: other.url, secret: 'another' })).status, 200)
  assert.equal((await put({ name: 'moved', url: webhook.url, secret: '' })).status, 200)
  assert.equal((await put({ name: 'moved', url: other.url })).status, 200)
  await api.send('POST', `${hooks}/${id}/test`)
  assert.equal(other.posted.length, 1)
  assert.ok(!('cf-webhook-auth' in other.posted[0]!.headers))
  await api.send('DELETE', `${hooks}/${id}`)
  other.close()
})

test('wrong policies and webhooks are refused at the field', async () => {
  const policy = { name: 'p', enabled: true, alert_type: 'http_alert_edge_error', mechanisms: {} }
  const hook = { name: 'w', url: 'https://hooks.shop.test/' }
  const rows: readonly (readonly [string, object, string])[] = [
    ['policies', { ...policy, mechanisms: { webhooks: [{ id: newId() }] } }, '/mechanisms/webhooks/0/id'],
    [
      'policies',
      { ...policy, mechanisms: { email: [{ id: 'a@b.test, c@d.test' }] } },
      '/mechanisms/email/0/id',
    ],
    ['policies', { ...policy, filters: { zones: [newId()] } }, '/filters/zones/0'],
    ['policies', { ...policy, filters: { slo: ['50'] } }, '/filters/slo/0'],
    ['policies', { ...policy, name: '' }, '/name'],
    ['destinations/webhooks', { ...hook, url: 'ftp://hooks.shop.test/' }, '/url'],
    ['destinations/webhooks', { ...hook, url: 'https://u:p@hooks.shop.test/' }, '/url'],
    ['destinations/webhooks', { ...hook, secret: 'a\r\nb' }, '/secret'],
  ]
  for (const [path, body, pointer] of rows) {
    const { status, body: answer } = await api.send('POST', `${alerting}/${path}`, body)
    assert.deepEqual([status, answer.errors[0].source?.pointer], [400, pointer], JSON.stringify(answer))
  }
  for (const path of ['policies', 'destinations/webhooks'])
    assert.equal((await api.send('GET', `${alerting}/${path}/${newId()}`)).status, 404)
})
