import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestApi } from './test-api.ts'

test('health, metrics and the page need no credentials', async () => {
  let ready = false
  const api = await openTestApi({ isReady: () => ready })
  try {
    const get = (url: string) => api.app.inject({ url })
    assert.equal((await get('/healthz')).statusCode, 200)

    const notReady = await get('/readyz')
    assert.equal(notReady.statusCode, 503)
    assert.equal(notReady.json().success, false)
    ready = true
    assert.equal((await get('/readyz')).statusCode, 200)

    const metrics = await get('/metrics')
    assert.equal(metrics.body, 'sluice_up 1\n')
    assert.match(String(metrics.headers['content-type']), /^text\/plain/)

    const page = await get('/')
    assert.match(String(page.headers['content-type']), /^text\/html/)
    assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
    assert.match(page.body, /<html lang="en">/)
    assert.ok(!page.body.includes('<script'))
  } finally {
    await api.close()
  }
})
