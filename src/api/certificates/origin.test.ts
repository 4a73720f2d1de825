import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Cloudflare from 'cloudflare'
import { newId } from '../../kit/ids.ts'
import { madeCertificate } from '../../kit/testing/certificates.ts'
import { certificateStoreLimits } from '../../store/limits.ts'
import { openTestApi, type TestApi, token } from '../testing/test-api.ts'

let api: TestApi
let client: Cloudflare
let zone_id: string
const edge = await madeCertificate([])
const origin = await madeCertificate(['origin.test'])
const expired = await madeCertificate([], { expires: new Date(Date.now() - 1000) })

before(async () => {
  api = await openTestApi()
  zone_id = api.zoneId
  const baseURL = `${await api.app.listen({ host: '127.0.0.1', port: 0 })}/client/v4`
  client = new Cloudflare({ baseURL, maxRetries: 0, apiEmail: null, apiKey: null, apiToken: token })
})
after(() => api.close())

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of pages) items.push(item)
  return items
}

test('the SDK uploads, switches on, reads and deletes a client certificate, and never sees its key', async () => {
  const { originTLSClientAuth: auth } = client
  const made = await auth.create({ zone_id, certificate: edge.certificate, private_key: edge.key })
  const { id } = made
  assert.deepEqual(made, {
    id,
    certificate: edge.certificate,
    issuer: 'Makers of tests',
    signature: 'ECDSAWithSHA256',
    status: 'active',
    uploaded_on: made.uploaded_on,
    expires_on: made.expires_on,
    enabled: false,
  })
  assert.deepEqual(await auth.settings.get({ zone_id }), { enabled: false })
  assert.deepEqual(await auth.settings.update({ zone_id, enabled: true }), { enabled: true })
  const shown = await auth.get(id!, { zone_id })
  assert.deepEqual(shown, { ...made, enabled: true })
  assert.deepEqual(await all(auth.list({ zone_id })), [shown])
  const documents = (await api.store.plans.documents([zone_id])).get(zone_id)!
  assert.deepEqual(
    documents.originCertificates.map(one => [one.id, one.kind, one.key]),
    [[id, 'client', edge.key]],
  )
  assert.deepEqual(await auth.delete(id!, { zone_id }), shown)
  assert.deepEqual(await all(auth.list({ zone_id })), [])
  const trail = await api.send('GET', `/accounts/${api.accountId}/audit_logs?per_page=100`)
  assert.ok(!JSON.stringify(trail.body).includes('PRIVATE KEY'))
})

test('the SDK uploads, reads and deletes an authority', async () => {
  const { customTrustStore: trust } = client.acm
  const made = await trust.create({ zone_id, certificate: origin.certificate })
  assert.deepEqual(made, {
    id: made.id,
    certificate: origin.certificate,
    issuer: 'Makers of tests',
    signature: 'ECDSAWithSHA256',
    status: 'active',
    uploaded_on: made.uploaded_on,
    expires_on: made.expires_on,
    updated_at: made.uploaded_on,
  })
  assert.deepEqual(await trust.get(made.id, { zone_id }), made)
  assert.deepEqual(await all(trust.list({ zone_id })), [made])
  assert.deepEqual(await trust.delete(made.id, { zone_id }), { id: made.id })
  assert.deepEqual(await all(trust.list({ zone_id })), [])
})

test('uploads that an edge cannot use are refused with the field and the reason, and change nothing', async () => {
  const auth = `${api.zonePath}/origin_tls_client_auth`
  const trust = `${api.zonePath}/acm/custom_trust_store`
  const rows: [string, string, object, string, RegExp][] = [
    [
      'POST',
      auth,
      { certificate: edge.certificate, private_key: origin.key },
      '/private_key',
      /another certificate/,
    ],
    ['POST', auth, { certificate: 'x', private_key: edge.key }, '/certificate', /no certificate in PEM/],
    ['POST', auth, { certificate: expired.certificate, private_key: expired.key }, '/certificate', /expired/],
    ['POST', auth, { certificate: edge.certificate }, '/private_key', /private_key/],
    ['PUT', `${auth}/settings`, { enabled: 'on' }, '/enabled', /enabled/],
    ['POST', trust, { certificate: edge.key }, '/certificate', /no certificate in PEM/],
    ['POST', trust, { certificate: expired.certificate }, '/certificate', /expired/],
    [
      'POST',
      trust,
      { certificate: edge.certificate + origin.certificate },
      '/certificate',
      /one certificate/,
    ],
  ]
  for (const [method, path, body, pointer, reason] of rows) {
    const refused = await api.send(method as 'POST', path, body)
    assert.equal(refused.status, 400, path)
    assert.equal(refused.body.errors[0].source.pointer, pointer)
    assert.match(refused.body.errors[0].message, reason)
    assert.ok(!JSON.stringify(refused.body).includes('PRIVATE KEY'))
  }
  for (const path of [`${auth}/${newId()}`, `${trust}/${newId()}`])
    for (const method of ['GET', 'DELETE'] as const) assert.equal((await api.send(method, path)).status, 404)
  assert.deepEqual((await api.store.plans.documents([zone_id])).get(zone_id)!.originCertificates, [])
})

test('a certificate of one kind is not found among the others, and each kind has its limit', async () => {
  const auth = `${api.zonePath}/origin_tls_client_auth`
  const trust = `${api.zonePath}/acm/custom_trust_store`
  const { id } = (await api.send('POST', trust, { certificate: origin.certificate })).body.result
  assert.equal((await api.send('DELETE', `${auth}/${id}`)).status, 404)
  for (let made = 1; made < certificateStoreLimits.originCertificatesMax; made++)
    assert.equal((await api.send('POST', trust, { certificate: origin.certificate })).status, 200)
  assert.equal((await api.send('POST', trust, { certificate: origin.certificate })).status, 403)
  const upload = { certificate: edge.certificate, private_key: edge.key }
  assert.equal((await api.send('POST', auth, upload)).status, 200)
})
