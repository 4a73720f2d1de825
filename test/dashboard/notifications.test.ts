import assert from 'node:assert/strict'
import { webhookServer } from '../../src/alerts/testing/receivers.ts'
import { api } from '../support/sluice.ts'
import { looksWell } from './looks.ts'
import { flows } from './support.ts'

const flow = flows()

flow('policies and webhooks take a test, by keyboard, and a failure has its reason', async it => {
  const { sluice } = it
  const webhook = await webhookServer()
  const [account] = (await api(sluice, 'GET', '/accounts')).result
  const base = `/accounts/${account.id}/alerting/v3`
  const made = await api(sluice, 'POST', `${base}/destinations/webhooks`, { name: 'Chat', url: webhook.url })
  const policy = {
    name: 'Stopped jobs',
    enabled: false,
    alert_type: 'failing_logpush_job_disabled_alert',
    mechanisms: { webhooks: [{ id: made.result.id }] },
  }
  const stored = await api(sluice, 'POST', `${base}/policies`, policy)
  try {
    const page = await it.page({ path: '/notifications' })
    await page.getByRole('button', { name: 'Send test to Chat' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('The webhook took the test').waitFor()
    await page.getByText('Last took a message').waitFor()
    await page.getByRole('button', { name: 'Send test to Stopped jobs' }).click()
    await page.getByText('The receiver took the test').waitFor()
    assert.equal(webhook.posted.length, 2)
    await looksWell(page, 'notifications')
    webhook.state.status = 500
    await page.getByRole('button', { name: 'Send test to Stopped jobs' }).click()
    await page.getByRole('alert').getByText('Chat').waitFor()
    await page.getByText('Last failed').waitFor()
    await looksWell(page, 'notifications-refused')
    webhook.state.status = 200
    await page.getByRole('button', { name: 'Send test to Chat' }).click()
    await page.getByText('Last took a message').waitFor()
  } finally {
    webhook.close()
    await api(sluice, 'DELETE', `${base}/policies/${stored.result.id}`)
    await api(sluice, 'DELETE', `${base}/destinations/webhooks/${made.result.id}`)
  }
})
