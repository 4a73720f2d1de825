import type { ClientRequest } from '../client-request.ts'
import type { HeaderLines } from '../headers.ts'

/** What programs call themselves; in lower case. */
const programs: readonly string[] = [
  'bot',
  'crawl',
  'spider',
  'curl/',
  'wget/',
  'python',
  'java/',
  'okhttp',
  'go-http-client',
  'libwww',
  'perl',
  'ruby',
  'php/',
  'axios',
  'node',
  'undici',
  'httpie',
  'postman',
  'scrapy',
  'headless',
  'phantomjs',
  'selenium',
  'puppeteer',
  'playwright',
  'nikto',
  'sqlmap',
  'nmap',
  'masscan',
  'zgrab',
  'apachebench',
]

const userAgentCharactersMax = 512

/** Headers that browsers send with every page, and what each is worth. */
const browserHeaders: ReadonlyMap<string, number> = new Map([
  ['accept', 8],
  ['accept-language', 18],
  ['accept-encoding', 10],
  ['sec-fetch-site', 12],
  ['sec-fetch-mode', 8],
  ['sec-fetch-dest', 6],
  ['upgrade-insecure-requests', 4],
  ['sec-ch-ua', 4],
  ['cookie', 5],
  ['referer', 4],
])

/**
 * How likely a person sent this: 1 surely a program, 99 surely a browser. A guess from headers alone:
 * no User-Agent is 1; one that names a program 2; one unlike a browser's 5; a browser's is 20 and more with each
 * header that browsers send. Anyone can send them, so low scores mean more than high ones.
 */
export function botScore(request: ClientRequest): number {
  const userAgent = (request.header('user-agent') ?? '').slice(0, userAgentCharactersMax).toLowerCase()
  if (userAgent === '') return 1
  if (programs.some(program => userAgent.includes(program))) return 2
  if (!userAgent.startsWith('mozilla/5.0 (')) return 5
  return Math.min(99, 20 + worthOf(request.headers))
}

function worthOf(headers: HeaderLines): number {
  const seen = new Set<string>()
  let worth = 0
  for (const [name] of headers) {
    const lower = name.toLowerCase()
    const points = browserHeaders.get(lower)
    if (points === undefined || seen.has(lower)) continue
    seen.add(lower)
    worth += points
  }
  return worth
}
