import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type SampleSite, startSampleSite } from './index.ts'

let site: SampleSite
before(async () => {
  site = await startSampleSite()
})
after(() => site.close())

const rows: readonly { name: string; path: string; init?: RequestInit; status: number; has: string }[] = [
  { name: 'home', path: '/', status: 200, has: '<h1>Sample shop</h1>' },
  { name: 'search finds', path: '/search?q=kettle', status: 200, has: 'Blue kettle' },
  {
    name: 'search escapes',
    path: '/search?q=%22%3E%3Cscript%3E',
    status: 200,
    has: '&quot;&gt;&lt;script&gt;',
  },
  {
    name: 'comment escapes',
    path: '/comments',
    init: { method: 'POST', body: new URLSearchParams({ name: '<b>', comment: "it's" }) },
    status: 200,
    has: 'Thank you, &lt;b&gt;. You wrote:</p><blockquote>it&#39;s',
  },
  {
    name: 'login refuses',
    path: '/login',
    init: { method: 'POST', body: 'user=a&password=b' },
    status: 401,
    has: 'role="alert"',
  },
  {
    name: 'JSON',
    path: '/api/items',
    init: { method: 'POST', body: '{"a":1}' },
    status: 201,
    has: '{"created":{"a":1}}',
  },
  { name: 'no JSON', path: '/api/items', init: { method: 'POST', body: '{' }, status: 400, has: 'not JSON' },
  {
    name: 'too large',
    path: '/api/items',
    init: { method: 'POST', body: 'x'.repeat(1024 * 1024 + 1) },
    status: 413,
    has: 'too large',
  },
  { name: 'elsewhere', path: '/nowhere', status: 404, has: 'no such page' },
]
for (const { name, path, init, status, has } of rows) {
  test(name, async () => {
    const response = await fetch(site.url + path, init)
    assert.equal(response.status, status)
    assert.ok((await response.text()).includes(has))
  })
}
