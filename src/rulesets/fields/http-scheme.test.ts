import assert from 'node:assert/strict'
import { test } from 'node:test'
import { check, compile } from '../../expressions/index.ts'
import { phases } from '../../model/resource.ts'
import { viewOf } from '../testing/request-view.ts'
import { functionAvailabilities } from './available-functions.ts'
import type { ExpressionContext, ExpressionUse } from './expression-context.ts'
import { httpScheme } from './http-scheme.ts'
import { httpFields } from './table.ts'

const custom: ExpressionContext = { phase: 'http_request_firewall_custom', use: 'filter' }
const rateLimit = (use: ExpressionUse): ExpressionContext => ({ phase: 'http_ratelimit', use })
const rewriteUri: ExpressionContext = { phase: 'http_request_transform', use: 'rewrite-uri' }
const uriFilter: ExpressionContext = { phase: 'http_request_transform', use: 'filter' }
const requestHeader: ExpressionContext = { phase: 'http_request_late_transform', use: 'rewrite-header' }
const responseHeader: ExpressionContext = { phase: 'http_response_headers_transform', use: 'rewrite-header' }
const responseFilter: ExpressionContext = { phase: 'http_response_headers_transform', use: 'filter' }
const redirect: ExpressionContext = { phase: 'http_request_dynamic_redirect', use: 'redirect' }
const redirectFilter: ExpressionContext = { phase: 'http_request_dynamic_redirect', use: 'filter' }

test('where fields are available', () => {
  const rows: readonly (readonly [string, readonly ExpressionContext[], readonly ExpressionContext[]])[] = [
    ['http.host', [custom, responseFilter, redirect, rateLimit('characteristic')], []],
    [
      'http.response.code',
      [responseFilter, responseHeader, rateLimit('counting')],
      [custom, rateLimit('filter'), rateLimit('characteristic'), requestHeader],
    ],
    ['http.request.accepted_languages', [uriFilter, rewriteUri, responseFilter], [custom, redirect]],
    ['ip.src.timezone.name', [rewriteUri, requestHeader, responseHeader], [uriFilter, redirect, custom]],
    ['cf.colo.id', [rateLimit('characteristic')], [rateLimit('filter'), rateLimit('counting'), custom]],
    ['cf.zone.plan', [custom, rateLimit('filter')], []],
  ]
  for (const [name, allowed, refused] of rows) {
    for (const context of allowed) {
      assert.ok(httpScheme(context).fields.has(name), `${name} ${JSON.stringify(context)}`)
      assert.equal(httpScheme(context).unavailable!(name), undefined)
    }
    for (const context of refused) {
      assert.ok(!httpScheme(context).fields.has(name), `${name} ${JSON.stringify(context)}`)
      assert.match(httpScheme(context).unavailable!(name)!, /^field .+ is not available here, only in /)
    }
  }
})

test('where functions are available', () => {
  const rows: readonly (readonly [string, readonly ExpressionContext[], readonly ExpressionContext[]])[] = [
    ['lower', [custom, redirect, responseHeader, rateLimit('characteristic')], []],
    ['cidr', [custom, rateLimit('filter'), rateLimit('characteristic')], [uriFilter, redirect]],
    ['decode_base64', [custom, rateLimit('filter'), uriFilter, responseHeader], [redirect]],
    ['join', [custom, uriFilter, rewriteUri], [rateLimit('filter'), redirect]],
    ['split', [responseFilter, responseHeader], [custom, requestHeader]],
    ['encode_base64', [requestHeader, responseHeader], [rewriteUri, custom]],
    ['sha256', [requestHeader, responseHeader], [rewriteUri, custom]],
    ['regex_replace', [rewriteUri, requestHeader, redirect], [uriFilter, redirectFilter, custom]],
    ['wildcard_replace', [rewriteUri, redirect], [requestHeader, uriFilter]],
    ['to_string', [rewriteUri, responseHeader, redirect], [custom, responseFilter]],
    ['uuidv4', [rewriteUri, requestHeader], [redirect, uriFilter]],
    ['remove_query_args', [rewriteUri], [redirect, custom]],
    ['is_timed_hmac_valid_v0', [custom, rateLimit('counting'), redirectFilter], [redirect, rewriteUri]],
  ]
  for (const [name, allowed, refused] of rows) {
    for (const context of allowed) {
      assert.ok(httpScheme(context).functions!.has(name), `${name} ${JSON.stringify(context)}`)
      assert.equal(httpScheme(context).unavailable!(name), undefined)
    }
    for (const context of refused) {
      assert.ok(!httpScheme(context).functions!.has(name), `${name} ${JSON.stringify(context)}`)
      assert.match(httpScheme(context).unavailable!(name)!, /^function .+ is not available here, only in /)
    }
  }
  assert.equal(httpScheme(custom).unavailable!('no_such_thing'), undefined)
  assert.ok(!httpScheme(custom).functions!.has('is_jwt_valid'))
})

test('every function and every field is available somewhere', () => {
  const uses: readonly ExpressionUse[] = [
    'filter',
    'counting',
    'rewrite-uri',
    'rewrite-header',
    'redirect',
    'characteristic',
  ]
  const schemes = phases.flatMap(phase => uses.map(use => httpScheme({ phase, use })))
  for (const name of functionAvailabilities.keys())
    assert.ok(
      schemes.some(({ functions }) => functions!.has(name)),
      name,
    )
  for (const name of functionAvailabilities.keys()) {
    const outcome = check(`${name}()`, { fields: new Map() })
    assert.ok(!outcome.ok && !outcome.text.includes('unknown identifier'), `${name} is a function`)
  }
  for (const { name } of httpFields)
    assert.ok(
      schemes.some(({ fields }) => fields.has(name)),
      name,
    )
})

test('schemes are made once; lists pass through', () => {
  const scheme = httpScheme(custom)
  assert.equal(httpScheme({ ...custom }), scheme)
  const lists = () => () => true
  const withLists = httpScheme(custom, lists)
  assert.equal(withLists.lists, lists)
  assert.equal(withLists.fields, scheme.fields)
  assert.equal(scheme.lists, undefined)
})

test('expressions over requests', () => {
  const view = viewOf({
    path: '/a/b.php',
    query: 'x=1',
    scheme: 'https',
    headers: [
      ['User-Agent', 'curl/8'],
      ['cookie', 'b=1'],
    ],
    clientIp: '2001:db8::7',
  })
  const rows: readonly (readonly [expression: string, want: boolean])[] = [
    ['(http.host wildcard "*.example.com*" and ssl) or ip.src.country in {"FR" "ES"}', true],
    ['any(http.request.headers["cookie"][*] contains "b=")', true],
    ['any(lower(http.request.headers.names[*])[*] eq "user-agent")', true],
    ['ip.src in {2001:db8::/32} and not http.request.uri.path contains "/admin"', true],
    ['http.referer eq ""', true],
    ['cf.bot_management.score lt 30', false],
    ['cf.waf.score lt 100', false],
    ['http.request.uri.args["x"][0] eq "1" and http.request.uri.path.extension in {"php"}', true],
    ['(http.request.uri.path eq "/x") and cf.zone.plan eq "ENT"', false],
  ]
  for (const [expression, want] of rows) {
    const compiled = compile(expression, httpScheme(custom))
    assert.ok(compiled.ok, expression)
    assert.equal(compiled.test(view), want, expression)
  }
})
