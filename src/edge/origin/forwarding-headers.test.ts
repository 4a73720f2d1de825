import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ManagedTransform } from '../../model/managed-transforms.ts'
import type { ZoneSettings } from '../../model/zone-settings.ts'
import { nowhere } from '../../rulesets/testing/request-view.ts'
import { planFor, planPhase, RawClient, rule, startEdge, startOrigin, trusted } from '../testing/fixture.ts'
import { ownerOf } from './forwarding-headers.ts'

const cologne = { ...nowhere, country: 'DE', city: 'Köln', regionCode: 'NW', timezone: 'Europe/Berlin' }
const transforms = (...ids: ManagedTransform[]) => ({ managedTransforms: new Set(ids) })

/** The lines that the origin receives, by name as sent. */
async function reached(
  t: Parameters<typeof startOrigin>[0],
  lines: readonly string[],
  setting: {
    readonly settings?: Partial<ZoneSettings>
    readonly trust?: boolean
    readonly known?: boolean
    readonly rules?: Parameters<typeof planPhase>[1]
  } = {},
): Promise<ReadonlyMap<string, string>> {
  let seen: readonly string[] = []
  const origin = await startOrigin(t, (request, response) => {
    seen = request.rawHeaders
    response.end('ok')
  })
  const plan = planFor(origin.url, {
    settings: setting.settings ?? {},
    request: setting.rules === undefined ? [] : [planPhase('http_request_late_transform', setting.rules)],
  })
  const { port } = await startEdge(t, plan, {
    trustedProxies: trusted(...(setting.trust === true ? ['127.0.0.0/8'] : [])),
    geo: () => (setting.known === false ? nowhere : cologne),
  })
  const head = ['GET / HTTP/1.1', 'Host: site.test:81', ...lines].map(line => `${line}\r\n`).join('')
  await new RawClient(port).send(`${head}\r\n`).until('ok')
  const pairs = seen.flatMap((name, at) => (at % 2 === 0 ? [[name, seen[at + 1]!] as const] : []))
  const found = new Map(pairs)
  assert.equal(found.size, pairs.length, `a header comes twice: ${seen.join(' ')}`)
  return found
}

const forged = [
  'CF-Connecting-IP: 6.6.6.6',
  'CF_Connecting_IP: 6.6.6.6',
  'cf-connecting_ip: 6.6.6.6',
  'CF-Connecting-IPv6: 6::6',
  'CF-Pseudo-IPv4: 6.6.6.6',
  'CF-Access-Authenticated-User-Email: root@site.test',
  'CF-Worker: site.test',
  'True-Client-IP: 6.6.6.6',
  'True_Client_Ip: 6.6.6.6',
  'X-Real-IP: 6.6.6.6',
  'X_Real_IP: 6.6.6.6',
  'X.Real.IP: 6.6.6.6',
  'X-Forwarded-For: 6.6.6.6',
  'X_Forwarded_For: 6.6.6.6',
  'X-Forwarded: 6.6.6.6',
  'X-Forwarded-Host: evil.test',
  'X-Forwarded-Port: 6',
  'X-Forwarded-Prefix: /6',
  'X-Forwarded-Proto: https',
  'X-Forwarded_Proto: https',
  'X-Client-IP: 6.6.6.6',
  'X-Cluster-Client-IP: 6.6.6.6',
  'Client-IP: 6.6.6.6',
  'Forwarded: for=6.6.6.6;proto=https',
  'CF-IPCountry: T1',
  'CF_IPCountry: T1',
  'CF-Ray: 6',
  'Ray-ID: 6',
  'Ray_ID: 6',
  'CF-Visitor: {"scheme":"https"}',
]

test('the edge owns the names that proxies and CDNs use for the client', () => {
  const ofEdge = [
    ...[
      'ali-cdn-real-ip',
      'cdn-real-ip',
      'cdn-src-ip',
      'do-connecting-ip',
      'eo-client-ip',
      'eo-connecting-ip',
    ],
    ...['fastly-client-ip', 'fly-client-ip', 'forwarded-for', 'forwarded-for-ip', 'http-client-ip'],
    ...[
      'incap-client-ip',
      'proxy-client-ip',
      'real-ip',
      'remote-addr',
      'wl-proxy-client-ip',
      'x-proxyuser-ip',
    ],
    ...[
      'cloudfront-viewer-address',
      'cloudfront-viewer-country',
      'x-appengine-country',
      'x-appengine-user-ip',
    ],
    ...['x-azure-clientip', 'x-azure-socketip', 'x-forward-for', 'x-forwardedfor', 'x-forwarder-for'],
    ...['x-http-forwarded-for', 'x-nf-client-connection-ip', 'x-original-forwarded-for', 'x-original-host'],
    ...[
      'x-originating-ip',
      'x-proxy-user-ip',
      'x-real-port',
      'x-real-proto',
      'x-remote-address',
      'x-remote-ip',
    ],
    ...['x-sucuri-clientip', 'x-vercel-forwarded-for', 'x-vercel-ip-country'],
  ]
  assert.deepEqual(
    ofEdge.filter(name => ownerOf(name) !== 'edge'),
    [],
  )
  assert.deepEqual(
    ofEdge.filter(name => name.includes('-') && ownerOf(name.replaceAll('-', '_')) !== 'look-alike'),
    [],
  )
  const others = [
    ...['accept', 'host', 'origin', 'referer', 'via', 'x-client-id', 'x-client-version', 'x-real-estate'],
    ...['x-request-id', 'x-api-key', 'x-description', 'x-membership', 'remote-user', 'x-for', 'x-unreal-ip'],
  ]
  assert.deepEqual(
    others.filter(name => ownerOf(name) !== 'client'),
    [],
  )
})

test('client headers of the edge do not reach the origin in any spelling', async t => {
  const seen = await reached(t, [...forged, 'X-Mine: 1', 'X_Mine: 2', 'Referer: 3'])
  const { size } = seen
  const ray = seen.get('cf-ray')
  assert.match(String(ray), /^[0-9a-f]{16}$/)
  assert.deepEqual(
    Object.fromEntries([...seen].filter(([name]) => name !== 'connection' && name !== 'cdn-loop')),
    Object.fromEntries([
      ['host', 'site.test:81'],
      ['X-Mine', '1'],
      ['X_Mine', '2'],
      ['Referer', '3'],
      ['x-forwarded-proto', 'http'],
      ['x-forwarded-host', 'site.test:81'],
      ['cf-visitor', '{"scheme":"http"}'],
      ['cf-ray', ray],
      ['ray-id', ray],
      ['x-forwarded-for', '127.0.0.1'],
      ['cf-connecting-ip', '127.0.0.1'],
      ['x-real-ip', '127.0.0.1'],
      ['cf-ipcountry', 'DE'],
    ]),
    String(size),
  )
})

test('headers of a trusted proxy pass only where the edge sets none', async t => {
  const lines = [
    'X-Forwarded-For: 6.6.6.6, 203.0.113.9',
    'X-Forwarded-Proto: https',
    'X-Forwarded-Host: shop.test',
    'X-Forwarded-Port: 443',
    'X-Real-IP: 6.6.6.6',
    'CF-Connecting-IP: 6.6.6.6',
    'X_Forwarded_Port: 6',
    'CF-Ray: 6',
  ]
  const seen = await reached(t, lines, { trust: true })
  for (const [name, want] of [
    ['x-forwarded-for', '203.0.113.9, 127.0.0.1'],
    ['x-forwarded-proto', 'https'],
    ['X-Forwarded-Host', 'shop.test'],
    ['x-forwarded-host', undefined],
    ['X-Forwarded-Port', '443'],
    ['x-real-ip', '203.0.113.9'],
    ['cf-connecting-ip', '203.0.113.9'],
    ['X_Forwarded_Port', undefined],
    ['cf-visitor', '{"scheme":"https"}'],
  ] as const)
    assert.equal(seen.get(name), want, name)
  const hidden = await reached(t, lines, {
    trust: true,
    settings: transforms('remove_visitor_ip_headers'),
  })
  assert.equal(hidden.get('x-forwarded-for'), '127.0.0.1')
  assert.equal(hidden.get('X-Forwarded-Port'), '443')
  assert.ok(![...hidden.values()].some(value => /203\.0|6\.6/.test(value)))
})

test('managed transforms and the country', async t => {
  const trueIp = await reached(t, forged, { settings: transforms('add_true_client_ip_headers') })
  assert.equal(trueIp.get('true-client-ip'), '127.0.0.1')

  const none = await reached(t, forged, { settings: transforms('remove_visitor_ip_headers') })
  assert.ok(![...none.values()].some(value => /127\.0\.0\.1|6\.6\.6\.6/.test(value)))

  const where = await reached(t, forged, { settings: transforms('add_visitor_location_headers') })
  assert.deepEqual(
    [...where].filter(([name]) => /^cf-(?:ip[a-z]+y|region|timezone|ipcontinent|ipl|postal)/.test(name)),
    [
      ['cf-ipcountry', 'DE'],
      ['cf-ipcity', 'Köln'],
      ['cf-ipcontinent', 'EU'],
      ['cf-region-code', 'NW'],
      ['cf-timezone', 'Europe/Berlin'],
    ],
  )
  assert.equal((await reached(t, forged, { known: false })).get('cf-ipcountry'), 'XX')
  assert.equal(
    (await reached(t, forged, { settings: { ipGeolocation: false } })).get('cf-ipcountry'),
    undefined,
  )
})

test('pseudo IPv4 gives a client of IPv6 an address of class E', async t => {
  const from = (client: string, pseudoIpv4: ZoneSettings['pseudoIpv4']) =>
    reached(t, [`X-Forwarded-For: ${client}`], { trust: true, settings: { pseudoIpv4 } })
  const pseudo = (await from('2001:db8::1', 'add_header')).get('cf-pseudo-ipv4')!
  assert.match(pseudo, /^2(?:4\d|5[0-5])\.\d+\.\d+\.\d+$/)
  assert.equal((await from('2001:db8::2', 'add_header')).get('cf-pseudo-ipv4'), pseudo)
  assert.notEqual((await from('2001:db8:0:1::1', 'add_header')).get('cf-pseudo-ipv4'), pseudo)
  const overwritten = await from('2001:db8::1', 'overwrite_header')
  assert.deepEqual(
    ['cf-connecting-ip', 'x-forwarded-for', 'x-real-ip', 'cf-connecting-ipv6', 'cf-pseudo-ipv4'].map(name =>
      overwritten.get(name),
    ),
    [pseudo, pseudo, pseudo, '2001:db8::1', undefined],
  )
  assert.equal((await from('192.0.2.1', 'overwrite_header')).get('cf-connecting-ip'), '192.0.2.1')
  assert.equal((await from('2001:db8::1', 'off')).get('cf-pseudo-ipv4'), undefined)
})

test('headers from rules replace those of the client and of the edge', async t => {
  const change = (name: string) => ({ operation: 'set', name, value: () => 'ours' }) as const
  const seen = await reached(t, forged, {
    rules: {
      zone: [
        rule({
          kind: 'rewrite-headers',
          changes: [change('X-Real-IP'), change('True-Client-IP'), change('X-Forwarded-Host')],
        }),
      ],
    },
  })
  assert.deepEqual(
    [...seen].filter(([, value]) => value === 'ours').map(([name]) => name),
    ['X-Real-IP', 'True-Client-IP', 'X-Forwarded-Host'],
  )
  assert.equal(seen.get('x-real-ip'), undefined)
})

test('managed transforms of responses', async t => {
  const origin = await startOrigin(t, (_request, response) => {
    response.writeHead(200, { 'x-powered-by': 'PHP', 'x-frame-options': 'DENY' })
    response.end('ok')
  })
  const settings = transforms('remove_x-powered-by_header', 'add_security_headers')
  const { url } = await startEdge(t, planFor(origin.url, { settings }))
  const { headers } = await fetch(url)
  assert.equal(headers.get('x-powered-by'), null)
  assert.equal(headers.get('x-frame-options'), 'DENY')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('referrer-policy'), 'same-origin')
})
