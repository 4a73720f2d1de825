import assert from 'node:assert/strict'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import Cloudflare from 'cloudflare'
import { customPageIds } from '../../model/custom-page.ts'
import { openTestApi, type TestApi, token } from '../testing/test-api.ts'
import { customPageLimits } from './limits.ts'

let api: TestApi
let client: Cloudflare
let zone_id: string
let pages: Server
let site: string
let answer: RequestListener
const html = (text: string | Buffer): RequestListener => {
  return (_request, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(text)
}

before(async () => {
  api = await openTestApi()
  zone_id = api.zoneId
  const baseURL = `${await api.app.listen({ host: '127.0.0.1', port: 0 })}/client/v4`
  client = new Cloudflare({ baseURL, maxRetries: 0, apiEmail: null, apiKey: null, apiToken: token })
  pages = createServer((request, response) => answer(request, response))
  await new Promise<void>(resolve => pages.listen(0, '127.0.0.1', resolve))
  site = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
})
after(async () => {
  pages.closeAllConnections()
  await new Promise(resolve => pages.close(resolve))
  await api.close()
})

test('the SDK sets, reads and resets a page of a zone and of an account', async () => {
  for (const owner of [{ zone_id }, { account_id: api.accountId }]) {
    const scope =
      'zone_id' in owner
        ? ({ kind: 'zone', id: zone_id } as const)
        : ({ kind: 'account', id: api.accountId } as const)
    const untouched = await client.customPages.get('waf_block', owner)
    assert.deepEqual(untouched, {
      id: 'waf_block',
      description: 'WAF Block',
      required_tokens: [],
      state: 'default',
      url: null,
      created_on: null,
      modified_on: null,
    })
    answer = html('<p>blocked é ::RAY_ID::</p>')
    const url = `${site}/blocked.html?v=1`
    const set = await client.customPages.update('waf_block', { ...owner, state: 'customized', url })
    assert.deepEqual(
      [set.id, set.state, set.url, set.created_on === set.modified_on],
      ['waf_block', 'customized', url, true],
    )
    assert.deepEqual(await client.customPages.get('waf_block', owner), set)
    const [stored] = await api.store.customPages.list(scope)
    assert.equal(stored?.content, '<p>blocked é ::RAY_ID::</p>')
    const ids: string[] = []
    for await (const one of client.customPages.list(owner)) ids.push(one.id!)
    assert.deepEqual(ids, [...customPageIds])
    const reset = await client.customPages.update('waf_block', { ...owner, state: 'default', url: '' })
    assert.deepEqual([reset.state, reset.url, reset.created_on], ['default', '', set.created_on])
    assert.deepEqual((await api.store.customPages.list(scope))[0]?.content, '')
  }
})

test('a page is fetched again when it is set again, and needs the token of its kind', async () => {
  const set = (body: object) => api.send('PUT', `${api.zonePath}/custom_pages/managed_challenge`, body)
  const url = `${site}/challenge.html`
  answer = html('one ::CAPTCHA_BOX::')
  assert.equal((await set({ state: 'customized', url })).status, 200)
  answer = html('two ::CF_WIDGET_BOX::')
  assert.equal((await set({ state: 'customized', url })).status, 200)
  answer = html('three')
  const refused = await set({ state: 'customized', url })
  assert.equal(refused.status, 400)
  assert.match(refused.body.errors[0].message, /does not contain ::CAPTCHA_BOX:: or ::CF_WIDGET_BOX::/)
  const boxes = customPageLimits.pageBoxesMax
  answer = html(`two ${'::CF_WIDGET_BOX::'.repeat(boxes)}::CAPTCHA_BOX::`)
  const amplified = await set({ state: 'customized', url })
  assert.equal(amplified.status, 400)
  assert.match(amplified.body.errors[0].message, /contains 5 tokens such as ::CAPTCHA_BOX::; keep at most 4/)
  const stored = await api.store.customPages.list({ kind: 'zone', id: zone_id })
  assert.equal(stored.find(({ id }) => id === 'managed_challenge')?.content, 'two ::CF_WIDGET_BOX::')
})

test('the SDK creates, lists, changes and deletes assets of a zone and of an account', async () => {
  for (const owner of [{ zone_id }, { account_id: api.accountId }]) {
    // A page for errors may come with the status of the error.
    answer = (_request, response) =>
      response.writeHead(503, { 'Content-Type': 'application/json; charset=utf-8' }).end('{"é":"::RAY_ID::"}')
    const { assets } = client.customPages
    const made = await assets.create({ ...owner, name: 'down_1', description: 'Down', url: `${site}/down` })
    assert.deepEqual(
      [made.name, made.description, made.url, made.size_bytes],
      ['down_1', 'Down', `${site}/down`, 19],
    )
    assert.deepEqual(await assets.get('down_1', owner), made)
    answer = html('<p>')
    const changed = await assets.update('down_1', { ...owner, description: 'New', url: `${site}/new` })
    assert.deepEqual([changed.description, changed.size_bytes], ['New', 3])
    const listed: object[] = []
    for await (const one of assets.list(owner)) listed.push(one)
    assert.deepEqual(listed, [changed])
    await assets.delete('down_1', owner)
    await assert.rejects(assets.get('down_1', owner), /there is no custom error asset 'down_1'/)
  }
})

test('assets with a wrong name, type or number are refused', async () => {
  const post = (body: object) => api.send('POST', `${api.zonePath}/custom_pages/assets`, body)
  answer = html('<p>')
  const url = `${site}/asset`
  assert.equal((await post({ name: 'first', url })).status, 200)
  const rows: [object, string | undefined, RegExp][] = [
    [{ name: 'first', url }, '/name', /already a custom error asset 'first'/],
    [{ name: 'a-b', url }, '/name', /does not match/],
    [{ name: 'b' }, '/url', /url/],
    [{ name: 'b', url: 'file:///etc/passwd' }, '/url', /begin with https/],
  ]
  for (const [body, pointer, reason] of rows) {
    const refused = await post(body)
    assert.deepEqual([refused.status, refused.body.errors[0].source?.pointer], [400, pointer])
    assert.match(refused.body.errors[0].message, reason)
  }
  answer = (_request, response) => response.writeHead(200, { 'Content-Type': 'image/png' }).end('x')
  assert.match((await post({ name: 'b', url })).body.errors[0].message, /has to be text\/html or text\/plain/)
  answer = html('<p>')
  for (let at = 1; at < customPageLimits.assetsMax; at++) await post({ name: `more_${at}`, url })
  assert.equal((await post({ name: 'last', url })).status, 403)
})

test('the pages of an account are fetched one at a time', async () => {
  let running = 0
  let most = 0
  answer = (request, response) => {
    most = Math.max(most, ++running)
    setTimeout(() => {
      running--
      html('<p>')(request, response)
    }, 20)
  }
  const ids = ['ip_block', 'waf_block', 'ratelimit_block']
  const answers = ids.map(id =>
    api.send('PUT', `${api.zonePath}/custom_pages/${id}`, { state: 'customized', url: `${site}/${id}` }),
  )
  for (const { status } of await Promise.all(answers)) assert.equal(status, 200)
  assert.equal(most, 1)
})

test('pages that cannot be fetched or shown are refused at /url with the reason', async () => {
  const long = customPageLimits.pageBytesMax
  const served: [RequestListener, RegExp][] = [
    [(_request, response) => response.writeHead(204).end(), /Fetch failed, http.*\/page returned 204$/],
    [html(' '), /it is blank/],
    [
      (_request, response) => response.writeHead(301, { Location: '/other' }).end(),
      /returned 301; redirects are not followed, so name \/other/,
    ],
    [
      (_request, response) => response.writeHead(200, { 'Content-Type': `x/${'y'.repeat(5000)}` }).end(),
      /Content-Type is "x\/y{198}" and/,
    ],
    [(_request, response) => response.end('<p>'), /its Content-Type is "" and has to be text\/html/],
    [html(Buffer.from('caf\xe9', 'latin1')), /not in UTF-8/],
    [html('x'.repeat(long + 1)), new RegExp(`longer than ${long} bytes`)],
    [(request, _response) => request.socket.destroy(), /cannot be reached/],
  ]
  const put = (body: object) => api.send('PUT', `${api.zonePath}/custom_pages/ip_block`, body)
  for (const [listener, reason] of served) {
    answer = listener
    const { status, body } = await put({ state: 'customized', url: `${site}/page` })
    assert.deepEqual([status, body.errors[0].code, body.errors[0].source.pointer], [400, 1202, '/url'])
    assert.match(body.errors[0].message, reason)
  }
  answer = html('x'.repeat(long))
  assert.equal((await put({ state: 'customized', url: `${site}/page` })).status, 200)
  const named: [object, RegExp, string][] = [
    [{ state: 'customized', url: 'http://169.254.169.254/' }, /never connected to/, '/url'],
    [{ state: 'customized', url: 'ftp://pages.test/' }, /has to begin with https/, '/url'],
    [{ state: 'customized', url: 'https://u:p@pages.test/' }, /credentials/, '/url'],
    [{ state: 'customized', url: 'nowhere' }, /it is no URL/, '/url'],
    [{ state: 'customized' }, /url is required/, '/url'],
    [{ state: 'other', url: '' }, /state/, '/state'],
  ]
  for (const [body, reason, pointer] of named) {
    const refused = await put(body)
    assert.deepEqual([refused.status, refused.body.errors[0].source.pointer], [400, pointer])
    assert.match(refused.body.errors[0].message, reason)
  }
  const unknown = await api.send('GET', `${api.zonePath}/custom_pages/teapot`)
  assert.equal(unknown.status, 404)
  assert.match(unknown.body.errors[0].message, /the identifiers are basic_challenge/)
})
