import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replaceEntryPoint } from '../documents/documents.ts'
import { contextOf, problemOf } from '../testing/documents.ts'
import { acceptParameters, refuseParameters } from '../testing/parameters.ts'

function echoes(asked: Parameters<typeof acceptParameters>[0], ...all: readonly object[]): void {
  const kept = acceptParameters(asked, ...all).map(rule => JSON.stringify(rule.actionParameters))
  assert.deepEqual(
    kept,
    all.map(parameters => JSON.stringify(parameters)),
  )
}

test('rewrite of paths and queries', () => {
  const asked = { phase: 'http_request_transform', action: 'rewrite' } as const
  echoes(
    asked,
    { uri: { path: { value: '/new/path' } } },
    { uri: { query: { value: '' } } },
    { uri: { path: { expression: 'concat("/v2", http.request.uri.path)' }, query: { value: 'a=1&b=?' } } },
  )
  refuseParameters(asked, [
    [null, 20113, '', 'action parameters are required for the rewrite action'],
    [{ uri: {} }, 20203, '/uri', /at least one of path, query/],
    [{ uri: { path: {} } }, 20203, '/uri/path', /exactly one of value, expression/],
    [
      { uri: { path: { value: '/a', expression: '"/a"' } } },
      20203,
      '/uri/path',
      /exactly one of value, expression/,
    ],
    [{ uri: { path: { value: 'a' } } }, 20203, '/uri/path/value', /must be a path/],
    [{ uri: { path: { value: '/a?b' } } }, 20203, '/uri/path/value', /must be a path/],
    [{ uri: { path: { value: '/a b' } } }, 20203, '/uri/path/value', /must be a path/],
    [{ uri: { query: { value: 'a\r\nb' } } }, 20203, '/uri/query/value', /must be a query/],
    [{ uri: { path: { expression: '' } } }, 20125, '/uri/path/expression', /cannot be blank/],
    [
      { uri: { path: { expression: 'htp.host' } } },
      20083,
      '/uri/path/expression',
      /^'htp.host' is not a valid value for expression because could not parse filter expression: Filter parsing error \(1:1\):\nhtp\.host\n\^+ unknown identifier/,
    ],
    [
      { uri: { query: { expression: 'ssl' } } },
      20083,
      '/uri/query/expression',
      /must be a String and is of type Boolean|parsing error/,
    ],
    [
      { headers: { a: { operation: 'remove' } } },
      20203,
      '/headers',
      /because headers are rewritten in http_request_late_transform/,
    ],
    [{ uri: { origin: true } }, 20206, '/uri/origin', /always the same/],
    [{ url: {} }, 20201, '/url', /unknown field "url"/],
  ])
})

test('rewrite of headers', () => {
  const asked = { phase: 'http_response_headers_transform', action: 'rewrite' } as const
  const inRequests = { ...asked, phase: 'http_request_late_transform' } as const
  echoes(
    asked,
    { headers: { 'X-B': { operation: 'add', value: 'Straße' }, 'x-a': { operation: 'remove' } } },
    { headers: { 'x-a': { value: '', operation: 'set' } } },
    { headers: { 'x-host': { operation: 'set', expression: 'http.host' } } },
  )
  echoes(inRequests, { headers: { 'x-host': { operation: 'set', expression: 'http.host' } } })
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${at}`, { operation: 'remove' }]))
  echoes(asked, { headers: many(30) })
  refuseParameters(asked, [
    [{ headers: many(31) }, 20203, '/headers', /more than 30 entries/],
    [{ headers: {} }, 20203, '/headers', /must not be empty/],
    [{ headers: { a: { operation: 'drop' } } }, 20203, '/headers/a/operation', /one of add, set, remove/],
    [
      { headers: { a: { operation: 'set' } } },
      20203,
      '/headers/a',
      /'set' .* exactly one of value and expression/,
    ],
    [
      { headers: { a: { operation: 'set', value: 'a', expression: '"a"' } } },
      20203,
      '/headers/a',
      /exactly one/,
    ],
    [
      { headers: { a: { operation: 'remove', value: 'a' } } },
      20203,
      '/headers/a',
      /neither value nor expression/,
    ],
    [
      { headers: { a: { operation: 'set', value: 'a\nb' } } },
      20203,
      '/headers/a/value',
      /without control characters/,
    ],
    [{ headers: { 'a b': { operation: 'remove' } } }, 20203, '/headers/a b', /not the name of a header/],
    [{ headers: { 'a/b~': { operation: 'remove' } } }, 20203, '/headers/a~1b~0', /^'a\/b~'/],
    [
      { headers: { 'Content-Length': { operation: 'remove' } } },
      20203,
      '/headers/Content-Length',
      /that rules can change/,
    ],
    [
      { headers: { a: { operation: 'remove' }, A: { operation: 'remove' } } },
      20203,
      '/headers/A',
      /it is there twice/,
    ],
    [
      { uri: { path: { value: '/' } } },
      20203,
      '/uri',
      /because paths and queries are rewritten in http_request_transform/,
    ],
  ])
  refuseParameters(inRequests, [
    [
      { headers: { a: { operation: 'add', value: 'b' } } },
      20203,
      '/headers/a/operation',
      /added to responses only/,
    ],
    [
      { headers: { Host: { operation: 'set', value: 'b' } } },
      20203,
      '/headers/Host',
      /that rules can change/,
    ],
  ])
})

test('redirect', () => {
  const asked = { phase: 'http_request_dynamic_redirect', action: 'redirect' } as const
  const to = (target_url: object, more: object = {}) => ({ from_value: { target_url, ...more } })
  echoes(
    asked,
    to({ value: 'https://example.com/a?b' }, { status_code: 301, preserve_query_string: true }),
    to({ expression: 'concat("https://www.example.com", http.request.uri.path)' }, { status_code: 308 }),
    to({ value: '/new' }),
    to({ value: '/' }),
    to({ value: 'HTTP://a' }),
  )
  refuseParameters(asked, [
    [{ from_list: { name: 'moved', key: 'http.host' } }, 20203, '/from_list', /have from_value/],
    [{ ...to({ value: '/' }), from_list: { name: 'moved', key: 'http.host' } }, 20203, '', /exactly one of/],
    [{ from_value: {} }, 20202, '/from_value/target_url', /the target url cannot be blank/],
    [to({}), 20203, '/from_value/target_url', /exactly one of value, expression/],
    [
      to({ value: 'javascript:alert(1)' }),
      20203,
      '/from_value/target_url/value',
      /an http or https URL or a path/,
    ],
    [to({ value: '//example.com/' }), 20203, '/from_value/target_url/value', /a path/],
    [to({ value: '/\\example.com/' }), 20203, '/from_value/target_url/value', /a path/],
    [to({ value: 'https:///a' }), 20203, '/from_value/target_url/value', /a path/],
    [to({ value: 'https://a/\r\nX: y' }), 20203, '/from_value/target_url/value', /visible ASCII/],
    [
      to({ value: '/' }, { status_code: 304 }),
      20203,
      '/from_value/status_code',
      /one of 301, 302, 303, 307, 308/,
    ],
    [to({ expression: 'ssl' }), 20083, '/from_value/target_url/expression', /./],
  ])
})

test('bulk redirect', () => {
  const context = contextOf('account')
  const asked = { phase: 'http_request_redirect', action: 'redirect', context } as const
  const from = (name: string, key = 'http.request.full_uri') => ({ from_list: { name, key } })
  echoes(asked, from('moved'), from('moved', 'concat("https://", http.host, http.request.uri.path)'))
  const expression = 'http.request.full_uri in $moved and cf.zone.plan eq "ENT"'
  echoes({ ...asked, more: { expression } }, from('moved'))
  refuseParameters(asked, [
    [from('gone'), 20203, '/from_list/name', /no list of kind redirect/],
    [from('office'), 20203, '/from_list/name', /no list of kind redirect/],
    [from('moved', 'http.nothing'), 20083, '/from_list/key', /could not parse/],
    [from('moved', 'ssl'), 20083, '/from_list/key', /must be a String/],
    [{ from_list: { name: 'moved' } }, 20202, '/from_list/key', /cannot be blank/],
    [{ from_value: { target_url: { value: '/' } } }, 20203, '/from_value', /have from_list/],
  ])
  const rules = [{ action: 'block', expression }]
  const elsewhere = replaceEntryPoint(undefined, 'http_request_firewall_custom', { rules }, contextOf('zone'))
  assert.match(problemOf(elsewhere).message, /unknown list "\$moved"/, 'other phases do not look URLs up')
})

test('compress_response', () => {
  const asked = { phase: 'http_response_compression', action: 'compress_response' } as const
  const by = (...names: readonly string[]) => ({ algorithms: names.map(name => ({ name })) })
  echoes(asked, by('none'), by('zstd', 'brotli', 'gzip', 'auto'), by('gzip', 'default'))
  refuseParameters(asked, [
    [by(), 20203, '/algorithms', /must not be empty/],
    [by('br'), 20203, '/algorithms/0/name', /one of none, auto, default, gzip, brotli, zstd/],
    [by('auto', 'gzip'), 20203, '/algorithms/0/name', /must be the last/],
    [by('gzip', 'gzip'), 20203, '/algorithms/1/name', /there twice/],
    [{ algorithms: [{ name: 'gzip', level: 9 }] }, 20201, '/algorithms/0/level', /unknown field/],
  ])
})

test('route', () => {
  const asked = { phase: 'http_request_origin', action: 'route' } as const
  echoes(
    asked,
    { host_header: 'app.example.com:8443' },
    { origin: { port: 65535 }, sni: { value: 'a.example.com' } },
    { origin: { host: '[2001:db8::1]', port: 1 } },
  )
  refuseParameters(asked, [
    [{}, 20113, '', /are required for the route action/],
    [{ origin: {} }, 20203, '/origin', /at least one of host, port/],
    [{ origin: { port: 0 } }, 20203, '/origin/port', /from 1 to 65535/],
    [{ origin: { port: 65536 } }, 20203, '/origin/port', /from 1 to 65535/],
    [{ origin: { host: 'a/b' } }, 20203, '/origin/host', /a host name or an address/],
    [{ origin: { host: '256.1.1.1' } }, 20203, '/origin/host', /neither a host name nor an address/],
    [{ host_header: 'a\r\nb' }, 20203, '/host_header', /a host name/],
    [{ sni: {} }, 20202, '/sni/value', /cannot be blank/],
    [{ host: 'a' }, 20201, '/host', /unknown field/],
  ])
})

test('set_config', () => {
  const asked = { phase: 'http_config_settings', action: 'set_config' } as const
  echoes(asked, { security_level: 'under_attack' }, { ssl: 'strict', security_level: 'off' }, { ssl: 'full' })
  echoes(asked, { bic: true, hotlink_protection: false })
  // Features that are off in any case.
  echoes(asked, { rocket_loader: false }, { autominify: { css: false, js: false } }, { polish: 'off' })
  echoes(asked, { disable_apps: true, request_body_buffering: 'standard' })
  refuseParameters(asked, [
    [null, 20113, '', 'action parameters are required for the set_config action'],
    ...['off', 'flexible', 'origin_pull'].map(
      ssl => [{ ssl }, 20206, '/ssl', /zone's own setting ssl says whether TLS is used/] as const,
    ),
    [{ ssl: 'on' }, 20203, '/ssl', /one of full, strict/],
    [{ security_level: 'extreme' }, 20203, '/security_level', /one of off, essentially_off/],
    [
      { security_level: 'low', mirage: true },
      20206,
      '/mirage',
      /no meaning on a self-hosted edge: pages and images/,
    ],
    [{ rocket_loader: true }, 20206, '/rocket_loader', /no meaning/],
    [{ autominify: { css: true } }, 20206, '/autominify', /no meaning.*; SLUICE_NOT_ENFORCED=keep stores it/],
    [{ disable_apps: false }, 20206, '/disable_apps', /no meaning/],
    [{ colour: 'red' }, 20201, '/colour', /unknown field/],
  ])
})

test('lists that an expression names must exist', () => {
  const more = { expression: 'ip.src in $office' }
  const asked = { phase: 'http_request_origin', action: 'route', context: contextOf('zone'), more } as const
  echoes(asked, { sni: { value: 'a' } })
  assert.throws(() =>
    echoes({ ...asked, more: { expression: 'ip.src in $elsewhere' } }, { sni: { value: 'a' } }),
  )
})
