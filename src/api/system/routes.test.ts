import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CertificateReport } from '../../model/certificate.ts'
import { openTestApi, token } from '../testing/test-api.ts'

test('health and the page need no credentials', async () => {
  let ready = false
  let refusal: string | undefined
  let details: readonly string[] = []
  const certificates: CertificateReport[] = []
  const api = await openTestApi({
    isReady: () => ready,
    edgeRefuses: async () => refusal,
    details: () => details,
    certificates: async () => certificates,
  })
  try {
    const get = (url: string) => api.app.inject({ url })
    assert.equal((await get('/healthz')).statusCode, 200)

    const notReady = await get('/readyz')
    assert.equal(notReady.statusCode, 503)
    assert.equal(notReady.json().success, false)
    ready = true
    assert.equal((await get('/readyz')).statusCode, 200)
    assert.deepEqual((await get('/readyz')).json().messages, [])
    refusal = 'the spool is full'
    const refusing = await get('/readyz')
    assert.equal(refusing.statusCode, 200, 'the API works')
    assert.equal(refusing.json().messages[0].message, 'the edge refuses requests with 503: the spool is full')
    refusal = undefined
    details = ['rate limits are counted on this machine alone']
    assert.equal((await get('/readyz')).json().messages[0].message, details[0])
    details = []
    const report = { hosts: ['shop.test'], source: 'file', issuer: 'Test', expiresMs: 0 } as const
    certificates.push({ ...report, status: 'expiring' }, { ...report, status: 'active' })
    const [warning] = (await get('/readyz')).json().messages
    assert.match(warning.message, /expired: 1, the first at 1970-01-01T00:00:00/)
    assert.doesNotMatch(warning.message, /shop/, 'probes need no credentials')

    const page = await get('/')
    assert.match(String(page.headers['content-type']), /^text\/html/)
    assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
    assert.match(page.body, /<html lang="en">/)
    assert.ok(!page.body.includes('<script'))
  } finally {
    await api.close()
  }
})

test('metrics need a token that may read the settings of the account', async () => {
  const api = await openTestApi()
  try {
    const get = (value?: string) =>
      api.app.inject({
        url: '/metrics',
        headers: value === undefined ? {} : { authorization: `Bearer ${value}` },
      })
    const made = async (group: string) => {
      const resources = {
        'com.cloudflare.api.account.*': '*',
        'com.cloudflare.api.account.zone.*': '*',
      }
      const policies = [{ effect: 'allow', permission_groups: [{ id: group }], resources }]
      const { body } = await api.send('POST', '/user/tokens', { name: 'prometheus', policies })
      return body.result.value as string
    }
    assert.equal((await get()).statusCode, 400)
    assert.equal((await get('x'.repeat(40))).statusCode, 401)
    assert.equal((await get(await made('c8fed203ed3043cba015a93ad1616f1f'))).statusCode, 403, 'Zone Read')
    for (const value of [token, await made('c1fde68c7bcc44588cbb6ddbc16d6480')]) {
      const metrics = await get(value)
      assert.equal(metrics.body, 'sluice_up 1\n')
      assert.match(String(metrics.headers['content-type']), /^text\/plain/)
    }
  } finally {
    await api.close()
  }
})
