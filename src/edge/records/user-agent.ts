import { recordLimits } from '../limits.ts'

/** Parts of the User-Agents of programs, in lower case. */
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

/** Results by User-Agent, because few User-Agents repeat often. */
const known = new Map<string, UserAgentKind>()

/** @param userAgent byte string; only its beginning is read */
export function userAgentKind(userAgent: string): UserAgentKind {
  const begins = userAgent.slice(0, recordLimits.userAgentCharactersMax)
  let kind = known.get(begins)
  if (kind === undefined) {
    kind = kindOf(begins.toLowerCase())
    if (known.size >= recordLimits.userAgentsKept) known.clear()
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
  // By convention of its vendors, Android without "Mobile" is a tablet.
  return userAgent.includes('Android') ? 'tablet' : 'desktop'
}
