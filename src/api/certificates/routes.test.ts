import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { after, before, test } from 'node:test'
import Cloudflare from 'cloudflare'
import { newId } from '../../kit/ids.ts'
import { type MadeCertificate, madeCertificate } from '../../kit/testing/certificates.ts'
import { openTestApi, type TestApi, token } from '../testing/test-api.ts'
import { uploadLimits } from './limits.ts'

let api: TestApi
let client: Cloudflare
let zone_id: string
let path: string
const shop = await madeCertificate(['shop.example', '*.shop.example', 'elsewhere.example'])
const renewed = await madeCertificate(['www.shop.example'], { algorithm: 'rsa2048' })

before(async () => {
  api = await openTestApi({ certificates: async zone => (zone === undefined ? [] : [inUse]) })
  zone_id = api.zoneId
  path = `${api.zonePath}/custom_certificates`
  const baseURL = `${await api.app.listen({ host: '127.0.0.1', port: 0 })}/client/v4`
  client = new Cloudflare({ baseURL, maxRetries: 0, apiEmail: null, apiKey: null, apiToken: token })
})
after(() => api.close())

const inUse = {
  hosts: ['shop.example'],
  source: 'file',
  issuer: 'Test',
  expiresMs: Date.parse('2030-01-02T03:04:05Z'),
  status: 'active',
} as const
const bodyOf = ({ certificate, key }: MadeCertificate) => ({ certificate, private_key: key })

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of pages) items.push(item)
  return items
}

test('the SDK uploads, reads, replaces, orders and deletes certificates', async () => {
  const made = await client.customCertificates.create({ zone_id, ...bodyOf(shop), type: 'sni_custom' })
  assert.deepEqual(made, {
    id: made.id,
    zone_id,
    hosts: ['shop.example', '*.shop.example', 'elsewhere.example'],
    issuer: 'Makers of tests',
    signature: 'ECDSAWithSHA256',
    status: 'active',
    bundle_method: 'ubiquitous',
    priority: 0,
    uploaded_on: made.uploaded_on,
    modified_on: made.modified_on,
    expires_on: made.expires_on,
  })
  assert.deepEqual(await client.customCertificates.get(made.id, { zone_id }), made)
  const [served] = await api.store.certificates.served(zone_id)
  assert.equal(served?.certificate, shop.certificate)
  assert.equal(served?.key, shop.key)

  const edited = await client.customCertificates.edit(made.id, {
    zone_id,
    ...bodyOf(renewed),
    bundle_method: 'force',
  })
  assert.deepEqual(
    [edited.id, edited.hosts, edited.signature, edited.bundle_method, edited.uploaded_on],
    [made.id, ['www.shop.example'], 'SHA256WithRSA', 'force', made.uploaded_on],
  )
  assert.equal((await api.store.certificates.served(zone_id))[0]?.key, renewed.key)

  const other = await client.customCertificates.create({ zone_id, ...bodyOf(shop) })
  const ordered = await all(
    client.customCertificates.prioritize.update({
      zone_id,
      certificates: [
        { id: made.id, priority: 1 },
        { id: other.id, priority: 2 },
      ],
    }),
  )
  assert.deepEqual(
    ordered.map(({ id, priority }) => [id, priority]),
    [
      [other.id, 2],
      [made.id, 1],
    ],
  )
  const listed = await all(client.customCertificates.list({ zone_id, per_page: 5 }))
  assert.deepEqual(
    listed.map(({ id }) => id),
    [made.id, other.id],
  )
  assert.deepEqual(await all(client.customCertificates.list({ zone_id, status: 'expired' })), [])
  const sorted = await api.send('GET', `${path}?order=priority&direction=desc&page=1&per_page=1`)
  assert.deepEqual(
    sorted.body.result.map(({ id }: { id: string }) => id),
    [other.id],
  )
  assert.equal(sorted.body.result_info.total_count, 2)
  for (const { id } of listed)
    assert.deepEqual(await client.customCertificates.delete(id, { zone_id }), { id })
  await assert.rejects(client.customCertificates.get(made.id, { zone_id }), Cloudflare.NotFoundError)
  assert.equal((await api.store.certificates.served(zone_id)).length, 0)
})

test('a certificate that no edge could use is refused with the field and the reason', async () => {
  const key = createPrivateKey(shop.key)
  const locked = key.export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: 'x',
  }) as string
  const past = new Date(Date.now() - 1000)
  const future = new Date(Date.now() + 86_400_000)
  const named = (options: Parameters<typeof madeCertificate>[1]) => madeCertificate(['shop.example'], options)
  const chained = { ...shop, certificate: renewed.certificate + shop.certificate }
  const rows: [object, string, RegExp][] = [
    [{ certificate: 'x', private_key: shop.key }, '/certificate', /no certificate in PEM/],
    [
      { ...bodyOf(shop), certificate: shop.certificate.replace('MII', 'AAA') },
      '/certificate',
      /certificate 1 of the chain cannot be read/,
    ],
    [
      { ...bodyOf(shop), certificate: 'x'.repeat(uploadLimits.chainBytesMax + 1) },
      '/certificate',
      /more than 65536 bytes/,
    ],
    [{ ...bodyOf(shop), private_key: 'x' }, '/private_key', /no private key in PEM/],
    [{ ...bodyOf(shop), private_key: shop.key.replace('MI', 'AA') }, '/private_key', /cannot be read/],
    [{ ...bodyOf(shop), private_key: locked }, '/private_key', /it is encrypted/],
    [{ ...bodyOf(shop), private_key: renewed.key }, '/private_key', /the key of another certificate/],
    [bodyOf(chained), '/certificate', /must come first; it is number 2/],
    [bodyOf(await named({ algorithm: 'rsa1024' })), '/private_key', /RSA key has 1024 bits/],
    [bodyOf(await named({ algorithm: 'p521' })), '/private_key', /P-256 or P-384/],
    [bodyOf(await named({ begins: new Date(0), expires: past })), '/certificate', /it expired on/],
    [bodyOf(await named({ begins: future })), '/certificate', /not valid before/],
    [
      bodyOf(await madeCertificate(['notshop.example'])),
      '/certificate',
      /none of its names is shop\.example/,
    ],
    [bodyOf(await madeCertificate([])), '/certificate', /it states no names/],
    [{ certificate: shop.certificate }, '/private_key', /required/],
    [{ ...bodyOf(shop), geo_restrictions: { label: 'us' } }, '/geo_restrictions', /no meaning/],
    [{ ...bodyOf(shop), policy: '(country: US)' }, '/policy', /no meaning/],
    [{ ...bodyOf(shop), custom_csr_id: newId() }, '/custom_csr_id', /no meaning/],
    [{ ...bodyOf(shop), deploy: 'staging' }, '/deploy', /no meaning/],
    [{ ...bodyOf(shop), bundle_method: 'none' }, '/bundle_method', /not one of/],
  ]
  for (const [body, pointer, reason] of rows) {
    const answer = await api.send('POST', path, body)
    assert.equal(answer.status, 400, String(reason))
    assert.equal(answer.body.errors[0].source.pointer, pointer, String(reason))
    assert.match(answer.body.errors[0].message, reason)
  }
  assert.deepEqual((await api.send('GET', path)).body.result, [])
})

test('edits need both halves of a pair, and known certificates', async () => {
  const made = await client.customCertificates.create({
    zone_id,
    ...bodyOf(await madeCertificate(['shop.example'], { algorithm: 'ed25519' })),
  })
  const rows: ['GET' | 'PATCH' | 'PUT' | 'DELETE', string, object | undefined, number][] = [
    ['PATCH', made.id, { certificate: shop.certificate }, 400],
    ['PATCH', made.id, { private_key: shop.key }, 400],
    ['PATCH', newId(), { bundle_method: 'force' }, 404],
    ['DELETE', newId(), undefined, 404],
    ['GET', 'x', undefined, 404],
    ['PUT', 'prioritize', { certificates: [{ id: newId(), priority: 1 }] }, 400],
    [
      'PUT',
      'prioritize',
      {
        certificates: [
          { id: made.id, priority: 1 },
          { id: made.id, priority: 2 },
        ],
      },
      400,
    ],
  ]
  for (const [method, at, body, status] of rows) {
    const answer = await api.send(method, `${path}/${at}`, body)
    assert.equal(answer.status, status, `${method} ${at}`)
  }
  assert.deepEqual(await client.customCertificates.get(made.id, { zone_id }), made)
  const kept = (await api.store.certificates.get(zone_id, made.id))!
  await api.store.certificates.update(zone_id, [{ ...kept, source: 'acme' }])
  assert.equal((await api.send('DELETE', `${path}/${made.id}`)).status, 404, 'a certificate of ACME')
})

test('the certificates in use are those of the edge', async () => {
  const { result } = (await api.send('GET', `${api.zonePath}/certificates_in_use`)).body
  const { expiresMs: _, ...shown } = inUse
  assert.deepEqual(result, [{ ...shown, expires_on: '2030-01-02T03:04:05.000000Z' }])
})

test('no answer, refusal, log line or entry of the audit trail has a key', async () => {
  const answers = [
    await api.send('POST', path, bodyOf(shop)),
    await api.send('POST', path, { ...bodyOf(shop), private_key: shop.key.repeat(100) }),
    await api.send('POST', path, { ...bodyOf(shop), private_key: [shop.key] }),
    await api.send('PATCH', `${path}/${newId()}`, bodyOf(shop)),
    await api.send('GET', path),
    await api.send('GET', `/accounts/${api.accountId}/audit_logs?per_page=100`),
  ]
  const secret = shop.key.split('\n')[1]!
  for (const text of [JSON.stringify(answers), ...api.logLines]) {
    assert.ok(!text.includes(secret))
    assert.ok(!text.includes('PRIVATE KEY'))
  }
})
