import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../kit/ids.ts'
import type { Notification, NotificationPolicy, Occasion } from '../../model/notification.ts'
import { anAccount, refusal, type StoreUnderTest } from './data.ts'

const time = '2026-01-02T03:04:05.000006Z'
const longMs = 600_000

export function aNotificationPolicy(accountId: string): NotificationPolicy {
  return {
    id: newId(),
    accountId,
    createdOn: time,
    modifiedOn: time,
    name: 'é🧱',
    alertType: 'universal_ssl_event_type',
    enabled: true,
    filters: { zones: ['z'] },
    mechanisms: { email: [{ id: 'ops@shop.example' }] },
  }
}

function anOccasion(policyId: string, subject: string): Occasion {
  return {
    ...{ id: newId(), policyId, alertType: 'universal_ssl_event_type', subject },
    ...{ startedOn: time, endText: 'over', data: { subject } },
  }
}

function aNotification({ id, accountId, name }: NotificationPolicy, createdOn = time): Notification {
  return {
    id: newId(),
    accountId,
    policyId: id,
    policyName: name,
    policyDescription: '',
    alertType: 'universal_ssl_event_type',
    mechanismType: 'email',
    mechanism: 'ops@shop.example',
    event: 'ALERT_STATE_EVENT_START',
    occasionId: newId(),
    text: 'text',
    data: {},
    createdOn,
    sentOn: null,
  }
}

export function notificationSuite({ store }: StoreUnderTest): void {
  const accountWithPolicy = async () => {
    const account = anAccount()
    await store().accounts.insert(account)
    const policy = aNotificationPolicy(account.id)
    await store().notifications.change(account.id, { kind: 'policy', id: policy.id, stored: policy })
    return policy
  }

  test('policies and webhooks are stored, changed and deleted, and stale writes refused', async () => {
    const { notifications } = store()
    const policy = await accountWithPolicy()
    const { accountId } = policy
    const webhook = {
      id: newId(),
      accountId,
      createdOn: time,
      name: 'w',
      url: 'https://a.example',
      secret: 's',
    }
    await notifications.change(accountId, { kind: 'webhook', id: webhook.id, stored: webhook })
    const before = await notifications.read(accountId)
    assert.deepEqual(before, { policies: [policy], webhooks: [webhook] })
    await notifications.report(webhook.id, { lastSuccess: time })
    await notifications.report(webhook.id, { lastFailure: time })
    const results = { lastSuccess: time, lastFailure: time }
    assert.deepEqual(await notifications.results(accountId), new Map([[webhook.id, results]]))
    const off = { ...policy, enabled: false }
    await notifications.change(accountId, { kind: 'policy', id: off.id, stored: off }, undefined, { before })
    await assert.rejects(
      notifications.change(accountId, { kind: 'policy', id: off.id, stored: policy }, undefined, { before }),
      refusal('stale'),
    )
    assert.ok(!(await notifications.enabled()).some(({ id }) => id === off.id))
    await notifications.change(accountId, { kind: 'webhook', id: webhook.id, stored: undefined })
    await notifications.change(accountId, { kind: 'policy', id: off.id, stored: undefined })
    assert.deepEqual(await notifications.read(accountId), { policies: [], webhooks: [] })
  })

  test('one process watches at a time, until it leaves or its time is over', async () => {
    const { notifications } = store()
    const [one, two] = [newId(), newId()]
    assert.equal(await notifications.watch(one, longMs), true)
    assert.equal(await notifications.watch(two, longMs), false)
    assert.equal(await notifications.watch(one, longMs), true)
    await notifications.leave(two)
    assert.equal(await notifications.watch(two, longMs), false)
    await notifications.leave(one)
    const many = await Promise.all([one, two, newId()].map(process => notifications.watch(process, longMs)))
    assert.equal(many.filter(Boolean).length, 1)
    // An end that a clock set that was later set back.
    assert.equal(await notifications.watch(newId(), 1), true)
  })

  test('an occasion begins and ends once, and each of its notifications is sent by one process', async () => {
    const { notifications } = store()
    const policy = await accountWithPolicy()
    const occasion = anOccasion(policy.id, 'job 7')
    const begun = aNotification(policy)
    await notifications.begin(occasion, [begun])
    await notifications.begin(anOccasion(policy.id, 'job 7'), [aNotification(policy)])
    await notifications.begin(anOccasion(newId(), 'job 7'), [aNotification(policy)])
    const own = (all: readonly Occasion[]) => all.filter(({ policyId }) => policyId === policy.id)
    assert.deepEqual(own(await notifications.occasions()), [occasion])
    const due = async (nowMs: number) =>
      (await notifications.due(nowMs, 100)).filter(one => one.notification.accountId === policy.accountId)
    const [first, ...others] = await due(1)
    assert.deepEqual([first, others], [{ notification: begun, attempts: 0 }, []])
    assert.equal(await notifications.attempt(first!, 1000), true)
    assert.equal(await notifications.attempt(first!, 1000), false, 'another process has made it')
    assert.deepEqual(await due(999), [])
    assert.equal((await due(1000))[0]?.attempts, 1)
    await notifications.settle(begun.id, time)
    const ended = aNotification(policy, '2026-01-02T04:00:00.000000Z')
    await notifications.end(occasion.id, [ended])
    await notifications.end(occasion.id, [aNotification(policy)])
    assert.deepEqual(own(await notifications.occasions()), [])
    assert.deepEqual(await due(1), [{ notification: ended, attempts: 0 }])
    await notifications.attempt({ notification: ended, attempts: 0 }, undefined)
    assert.deepEqual(await due(Number.MAX_SAFE_INTEGER), [], 'given up')
    const sent = (query: object) => notifications.sent(policy.accountId, { offset: 0, limit: 9, ...query })
    assert.deepEqual(await sent({}), { total: 1, notifications: [{ ...begun, sentOn: time }] })
    assert.equal((await sent({ since: time })).total + (await sent({ before: time })).total, 0)
    await notifications.forget('2026-01-02T03:30:00.000000Z')
    assert.equal((await sent({})).total, 0)
  })

  test('accounts take turns among the notifications to be sent', async () => {
    const { notifications } = store()
    const [many, one] = [await accountWithPolicy(), await accountWithPolicy()]
    await notifications.begin(anOccasion(many.id, 'job 7'), [aNotification(many), aNotification(many)])
    const later = aNotification(one)
    await notifications.begin(anOccasion(one.id, 'job 8'), [later])
    await notifications.attempt({ notification: later, attempts: 0 }, 1)
    const accounts = (await notifications.due(1, 1000)).map(({ notification }) => notification.accountId)
    assert.ok(accounts.indexOf(one.accountId) < accounts.lastIndexOf(many.accountId))
  })

  test('the occasions of a policy end with it', async () => {
    const { notifications } = store()
    const policy = await accountWithPolicy()
    const occasion = anOccasion(policy.id, 'job 7')
    await notifications.begin(occasion, [])
    await notifications.change(policy.accountId, { kind: 'policy', id: policy.id, stored: undefined })
    assert.ok(!(await notifications.occasions()).some(({ id }) => id === occasion.id))
  })
}
