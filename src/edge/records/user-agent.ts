import { edgeLimits } from '../../kit/limits.ts'

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

export type UserAgentKind = 'none' | 'program' | 'browser' | 'other'

/** Few are seen over and over: what each is is worked out once. */
const known = new Map<string, UserAgentKind>()

/** @param userAgent byte string; of a long one the beginning counts */
export function userAgentKind(userAgent: string): UserAgentKind {
  const begins = userAgent.slice(0, edgeLimits.userAgentCharactersMax)
  let kind = known.get(begins)
  if (kind === undefined) {
    kind = kindOf(begins.toLowerCase())
    if (known.size >= edgeLimits.userAgentsKept) known.clear()
    known.set(begins, kind)
  }
  return kind
}

function kindOf(lower: string): UserAgentKind {
  if (lower === '') return 'none'
  if (programs.some(program => lower.includes(program))) return 'program'
  return lower.startsWith('mozilla/5.0 (') ? 'browser' : 'other'
}

export function deviceType(userAgent: string): string {
  if (userAgent.includes('iPad') || userAgent.includes('Tablet')) return 'tablet'
  if (userAgent.includes('Mobi')) return 'mobile'
  // Android without "Mobile" is a tablet, by its makers' convention.
  return userAgent.includes('Android') ? 'tablet' : 'desktop'
}
