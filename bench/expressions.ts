import {
  compile,
  type ExpressionType,
  type Predicate,
  type Scheme,
  type Value,
} from '../src/expressions/index.ts'
import { machineLine } from './support/machine.ts'
import { allocatedBytes } from './support/measure.ts'
import { figure, formatTable } from './support/table.ts'

const help = `Cost of custom rules: nanoseconds of one evaluation, on a request that matches and on one that does not.

  npm run bench:expressions

Fields are read from a plain object, so that only the language is timed. The minimum of several short runs counts.
`

if (process.argv.includes('--help')) {
  process.stdout.write(help)
  process.exit()
}

type Request = Readonly<Record<string, Value>>

const types: Readonly<Record<string, ExpressionType>> = {
  'http.host': 'String',
  'http.user_agent': 'String',
  'http.request.method': 'String',
  'http.request.uri.path': 'String',
  'http.request.uri.query': 'String',
  'http.request.headers': 'Map<Array<String>>',
  'http.request.headers.names': 'Array<String>',
  'http.request.body.size': 'Integer',
  'ip.src': 'IP',
  'ip.src.country': 'String',
  'ip.src.asnum': 'Integer',
  ssl: 'Boolean',
}

const scheme: Scheme<Request> = {
  fields: new Map(
    Object.entries(types).map(([name, type]) => [name, { name, type, read: request => request[name] }]),
  ),
}

const plain: Request = {
  'http.host': 'shop.example.com',
  'http.user_agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0',
  'http.request.method': 'GET',
  'http.request.uri.path': '/catalogue/garden/chairs/index.html',
  'http.request.uri.query': 'page=2&sort=price&colour=green',
  'http.request.headers': new Map([
    ['accept', ['text/html,application/xhtml+xml']],
    ['accept-language', ['en-GB,en;q=0.9']],
    ['x-api-key', ['0123456789abcdef']],
  ]),
  'http.request.headers.names': ['Host', 'User-Agent', 'Accept', 'Accept-Language', 'X-Api-Key', 'Cookie'],
  'http.request.body.size': 0,
  'ip.src': '198.51.100.23',
  'ip.src.country': 'DE',
  'ip.src.asnum': 64_500,
  ssl: true,
}

const matching: Request = {
  ...plain,
  'http.host': 'admin.example.com',
  'http.user_agent': 'sqlmap/1.8 (https://sqlmap.org)',
  'http.request.method': 'POST',
  'http.request.uri.path': '/wp-admin/Setup-Config.php',
  'http.request.uri.query': 'id=1%20UNION%20SELECT%20password',
  'http.request.headers': new Map([
    ['accept', ['*/*']],
    ['x-api-key', ['stolen']],
  ]),
  'http.request.headers.names': ['Host', 'User-Agent', 'Accept', 'X-Api-Key', 'X-Original-URL'],
  'http.request.body.size': 20_000_000,
  'ip.src': '203.0.113.200',
  'ip.src.country': 'XX',
  'ip.src.asnum': 64_999,
  ssl: false,
}

/** Sixty networks: about the capacity of one expression. */
const networks = Array.from({ length: 60 }, (_, i) => `203.0.${i + 54}.0/24`).join(' ')

const rules: readonly (readonly [name: string, expression: string])[] = [
  ['path equals', 'http.request.uri.path eq "/wp-admin/Setup-Config.php"'],
  [
    'admin from abroad',
    'starts_with(http.request.uri.path, "/wp-admin") and not ip.src.country in {"DE" "AT" "CH"}',
  ],
  ['60 networks', `ip.src in {${networks}}`],
  ['bad agents', 'lower(http.user_agent) contains "sqlmap" or lower(http.user_agent) contains "nikto"'],
  ['host wildcard', 'http.host wildcard "ADMIN.*.com"'],
  ['path regex', 'http.request.uri.path matches "(?i)/(wp-admin|phpmyadmin|setup)[^/]*/.*\\.php$"'],
  ['wrong key', 'http.request.headers["x-api-key"][0] ne "0123456789abcdef"'],
  ['header present', 'any(lower(http.request.headers.names[*])[*] eq "x-original-url")'],
  ['large post', 'http.request.method in {"POST" "PUT"} and http.request.body.size gt 10485760 and not ssl'],
  ['decoded query', 'lower(url_decode(http.request.uri.query, "r")) contains "union select"'],
]

const runs = 12
const runMs = 25

function compiled(expression: string): Predicate<Request> {
  const outcome = compile(expression, scheme)
  if (!outcome.ok) throw new Error(outcome.text)
  return outcome.test
}

/** Nanoseconds of one evaluation: the minimum of the runs, which has the least disturbance. */
function nanoseconds(test: Predicate<Request>, request: Request): number {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    let calls = 0
    let matches = 0
    const start = performance.now()
    let now = start
    while (now - start < runMs) {
      for (let i = 0; i < 500; i++) if (test(request)) matches++
      calls += 500
      now = performance.now()
    }
    if (matches !== 0 && matches !== calls) throw new Error('an expression changed its mind')
    best = Math.min(best, ((now - start) * 1e6) / calls)
  }
  return best
}

function bytes(test: Predicate<Request>, request: Request): number {
  return allocatedBytes(
    () => request,
    input => void test(input),
    400_000,
  )
}

function rowOf([name, expression]: readonly [string, string]): readonly string[] {
  const test = compiled(expression)
  if (test(plain) || !test(matching)) throw new Error(`${name} does not tell the requests apart`)
  return [
    name,
    ...[plain, matching].flatMap(request => [
      figure(nanoseconds(test, request)),
      bytes(test, request).toFixed(0),
    ]),
  ]
}

/** Rules as teams write them, all different; none matches. */
function customRules(count: number): readonly Predicate<Request>[] {
  const kinds: readonly ((i: number) => string)[] = [
    i => `http.request.uri.path eq "/old/page-${i}.html"`,
    i => `http.host eq "shop-${i}.example.com" and starts_with(http.request.uri.path, "/account")`,
    i => `ip.src in {10.${i % 256}.0.0/16 172.16.${i % 256}.0/24} and ip.src.country ne "DE"`,
    i => `http.user_agent contains "scanner-${i}"`,
    i => `http.request.uri.path wildcard "/api/v${i}/*/private"`,
    i => `http.request.headers["x-token-${i}"][0] eq "abc"`,
    i => `http.request.method eq "POST" and http.request.uri.path matches "^/upload-${i}/\\d+$"`,
    i => `ip.src.asnum in {${65_000 + i} ${66_000 + i}..${66_010 + i}}`,
  ]
  return Array.from({ length: count }, (_, i) => compiled(kinds[i % kinds.length]!(i)))
}

function main(): void {
  console.log(`${machineLine()}\n`)
  const head = ['ns a rule', 'no match', 'bytes', 'match', 'bytes']
  console.log(formatTable(head, rules.map(rowOf)))
  const start = performance.now()
  const many = customRules(1000)
  const compileMs = performance.now() - start
  const all: Predicate<Request> = request => many.some(test => test(request))
  console.log(
    `\n1,000 custom rules, none of which matches: ${figure(nanoseconds(all, plain) / 1000)} µs a request, ` +
      `compiled in ${compileMs.toFixed(0)} ms`,
  )
}

main()
