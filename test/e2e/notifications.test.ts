import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { webhookServer } from '../../src/alerts/testing/receivers.ts'
import { newCipher } from '../../src/kit/cipher.ts'
import { newId } from '../../src/kit/ids.ts'
import { openSqliteStore } from '../../src/store/index.ts'
import { eventually } from '../support/eventually.ts'
import { miniCrs } from '../support/mini-crs.ts'
import { api, discard, startSluice } from '../support/sluice.ts'

const time = '2026-01-02T03:04:05.000006Z'
const key = '5a'.repeat(32)

test('a process that starts tells of an edge that has been silent meanwhile', async t => {
  const webhook = await webhookServer()
  t.after(() => webhook.close())
  const data = await mkdtemp(join(tmpdir(), 'sluice-notifications-'))
  t.after(() => rm(data, { recursive: true }))
  const [accountId, webhookId, policyId] = [newId(), newId(), newId()]
  const cipher = newCipher(Buffer.from(key, 'hex'))
  const store = await openSqliteStore(join(data, 'sluice.db'), { migrate: true, cipher })
  await store.accounts.insert({ id: accountId, name: 'Team', createdOn: time })
  const owned = { accountId, createdOn: time, name: 'Silent edges' }
  await store.notifications.change(accountId, {
    kind: 'webhook',
    id: webhookId,
    stored: { ...owned, id: webhookId, url: webhook.url, secret: 'the secret' },
  })
  await store.notifications.change(accountId, {
    kind: 'policy',
    id: policyId,
    stored: {
      ...{ ...owned, id: policyId, modifiedOn: time, enabled: true, alertType: 'sluice_edge_silent_alert' },
      mechanisms: { webhooks: [{ id: webhookId }] },
    },
  })
  await store.logs.write({ location: 'elsewhere', host: 'edge-7', log: 'spool-7' }, -1000)
  await store.close()

  const sluice = await startSluice({
    data,
    settings: { SLUICE_CRS: await miniCrs(), SLUICE_SECRET_KEY: key },
  })
  t.after(() => discard(sluice))
  const [sent] = await eventually(async () => {
    const { result } = await api(sluice, 'GET', `/accounts/${accountId}/alerting/v3/history`)
    assert.equal(result.length, 1)
    return result
  })
  assert.equal(sent.policy_id, policyId)
  const [posted] = webhook.posted
  assert.equal(posted?.headers['cf-webhook-auth'], 'the secret')
  assert.match(posted?.body.text, /^The edge on edge-7 has not reached the database since /)
})
