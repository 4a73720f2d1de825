import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { CustomPage, CustomPageId } from '../../model/custom-page.ts'
import { customPagesOf } from '../../rulesets/plan/custom-pages.ts'
import type { PlanEffect } from '../../rulesets/plan/plan.ts'
import { planFor, rule, startEdge, trusted } from '../testing/fixture.ts'

const page = (id: CustomPageId, content: string): CustomPage => ({
  id,
  state: 'customized',
  url: 'https://pages.test/',
  content,
  createdOn: '2026-01-02T03:04:05.000006Z',
  modifiedOn: '2026-01-02T03:04:05.000006Z',
})

/** Answers every request by the effect, with these pages. */
async function answersOf(t: TestContext, effect: PlanEffect | undefined, pages: readonly CustomPage[]) {
  const customPages = customPagesOf([], pages)
  const custom = effect === undefined ? [] : [rule(effect)]
  const { url } = await startEdge(t, planFor('http://127.0.0.1:1', { custom, customPages }), {
    trustedProxies: trusted('127.0.0.1/32'),
  })
  const get = async (headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(url, {
      headers: { Host: 'site.test', Accept: 'text/html', 'X-Forwarded-For': '198.51.100.7', ...headers },
    })
    return { response, text: await response.text() }
  }
  return { get }
}

test('a block shows the page of the site with the values of the request', async t => {
  const html = '<h1>Halt é</h1>::RAY_ID:: ::CLIENT_IP:: ::GEO:: ::RAY_ID:: ::OTHER::'
  const { get } = await answersOf(t, { kind: 'action', action: 'block' }, [page('waf_block', html)])
  const { response, text } = await get()
  const ray = response.headers.get('ray-id')
  assert.equal(response.status, 403)
  assert.equal(text, `<h1>Halt é</h1>${ray} 198.51.100.7 XX ${ray} ::OTHER::`)
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(response.headers.get('content-security-policy'), "frame-ancestors 'self'")
  const json = await get({ Accept: 'application/json' })
  assert.equal(JSON.parse(json.text).error, 'block')
})

test('a page of another kind changes nothing', async t => {
  const { get } = await answersOf(t, { kind: 'action', action: 'block' }, [page('ratelimit_block', 'slower')])
  assert.match((await get()).text, /This request was blocked/)
})

test('the response of a rule goes before the page of the site', async t => {
  const response = { status: 418, content: 'no coffee', contentType: 'text/plain' }
  const effect = { kind: 'action', action: 'block', response } as const
  const { get } = await answersOf(t, effect, [page('waf_block', 'page')])
  assert.equal((await get()).text, 'no coffee')
})

test('each challenge has its page, in which the challenge can be solved', async t => {
  for (const [action, id, box] of [
    ['managed_challenge', 'managed_challenge', '::CAPTCHA_BOX::'],
    ['challenge', 'basic_challenge', '::CF_WIDGET_BOX::'],
    ['js_challenge', 'under_attack', '::IM_UNDER_ATTACK_BOX::'],
  ] as const) {
    const pages = [page(id, `<body>before ${box} after</body>`)]
    const { get } = await answersOf(t, { kind: 'action', action }, pages)
    const { response, text } = await get()
    assert.deepEqual([response.status, response.headers.get('cf-mitigated')], [403, 'challenge'])
    assert.match(text, /^<body>before <div id="sluice-challenge" data-token="[^"]+"/, action)
    assert.match(text, /<script>.*<\/script> after<\/body>$/s, action)
  }
})

test('an unreachable origin shows the page with what went wrong', async t => {
  const { get } = await answersOf(t, undefined, [page('500_errors', '[::CLOUDFLARE_ERROR_500S_BOX::]')])
  const { response, text } = await get()
  assert.equal(response.status, 502)
  assert.match(text, /^\[<div class="cf-error-details">\n<h1>The site does not respond<\/h1>/)
  assert.ok(text.includes(`Ray ID <code>${response.headers.get('ray-id')}</code>`))
})
