import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { shareOf } from '../../kit/testing/share.ts'
import { crsMissing, crsProgram } from '../testing/crs.ts'
import { outcomeOf, type Random, randomFrom } from '../testing/outcomes.ts'
import { pick, randomRequest } from '../testing/random-requests.ts'
import { randomMatch, randomRules } from '../testing/random-rules.ts'
import { program, type TestRequest } from '../testing/requests.ts'
import { compile } from './compile.ts'

/** No text of rules and no request makes the engine throw. */

/** Valid rules beside the random ones: every kind of directive, and rare parts. */
const samples: readonly string[] = [
  `SecDefaultAction "phase:2,log,deny,status:403,t:none"
   SecRule REQUEST_HEADERS:/^x-/|!REQUEST_HEADERS:X-A|&ARGS "!@pm a|20|b \\"c\\"" "id:10,phase:request,block,capture,\\
     msg:'It\\'s %{MATCHED_VAR}, %{tx.0}',logdata:'%{REQUEST_HEADERS.host}',tag:a/b,ver:'1',rev:2,severity:'WARNING',\\
     setvar:'tx.%{MATCHED_VAR_NAME}=+%{tx.a}',setvar:!tx.b,expirevar:ip.x=60,initcol:ip=%{REMOTE_ADDR},multiMatch"`,
  `SecRule XML:/*|XML://@* "@rx (?i)<(\\w+)[^>]{0,20}\\bon\\w+\\s*=" "id:11,phase:2,t:none,t:urlDecodeUni,chain"
     SecRule TX:1 "@within |a| |b|" "chain,setvar:tx.n=1"
     SecRule MATCHED_VARS|MATCHED_VARS_NAMES "@validateByteRange 1-8,14-255" "ctl:ruleRemoveTargetById=1-9;ARGS:/^a/"`,
  `SecMarker END
   SecAction "id:12,phase:5,nolog,pass,skipAfter:END,ctl:ruleEngine=DetectionOnly"
   SecRuleRemoveById 1-9 12 "100-200"
   SecRuleRemoveByTag "^a" 
   SecRuleUpdateTargetById 10 "!ARGS:/b/,ARGS_NAMES"
   SecRuleUpdateActionById 10 "pass,status:406,msg:'x'"
   SecRequestBodyLimit 1000
   SecResponseBodyMimeType text/html text/plain
   SecComponentSignature "x/1"
   SecCollectionTimeout 60`,
  `SecRule ARGS "@rx ^(?:a|b)*?c{2,5}[^\\x00-\\x1f\\w.-]+(?=d)(?!e)(f)\\1$" "id:13,t:base64Decode,t:hexDecode,allow:request"
   SecRule REMOTE_ADDR "@ipMatch 192.0.2.0/24,2001:db8::/32" "id:14,redirect:'/x?%{REQUEST_URI}',drop"
   SecRule ARGS "@verifyCC \\d{13,16}" "id:15,deny,t:removeWhitespace"`,
]

/** Signs and words that decide about the reading. */
const pieces =
  `" ' \\ , : ; | & ! @ % %{ } ( ) [ ] { * + ? ^ $ = - / # \\" id: phase: t: SecRule SecAction chain ARGS TX:
  @rx @pm \\x \\Q (?i) (?= (?<! {1,9} {9999} [[:alpha:]] [^ \\1 %{tx. ctl: setvar: skipAfter: 99999999999`
    .split(/\s+/)
    .concat(' ', '\n', '\\\n', '\0', '\xff', '\t', '')

function mutated(text: string, random: Random): string {
  let result = text
  for (let times = 1 + (random(3) === 0 ? random(4) : 0); times > 0; times--) {
    const at = random(result.length + 1)
    const end = Math.min(result.length, at + random(random(3) === 0 ? 60 : 4))
    const from = random(result.length + 1)
    const put = pick(
      [
        pick(pieces, random),
        pick(pieces, random),
        '',
        result.slice(at, end).repeat(2),
        result.slice(from, from + 20),
      ],
      random,
    )
    result = result.slice(0, at) + put + result.slice(end)
  }
  return result
}

describe('texts of rules', () => {
  it('compile, or are refused with a position; compiled rules run', () => {
    let compiled = 0
    let refused = 0
    for (let seed = 0; seed < shareOf(4000); seed++) {
      const random = randomFrom(100_000 + seed)
      const valid = random(2) === 0 ? pick(samples, random) : randomRules(random)
      const text = mutated(valid, random)
      const outcome = compile([{ name: 'a.conf', text }], { readData: () => undefined })
      if (outcome.ok) {
        compiled++
        outcomeOf(outcome.value, randomMatch(random))
        continue
      }
      refused++
      assert.ok(outcome.diagnostics.length > 0)
      const lines = text.split('\n').length
      for (const { code, message, source, line, column } of outcome.diagnostics) {
        assert.ok(code !== '' && message !== '' && source === 'a.conf', JSON.stringify(text))
        assert.ok(line >= 1 && line <= lines && column >= 1, `${line}:${column} of ${JSON.stringify(text)}`)
      }
    }
    assert.ok(compiled > shareOf(500) && refused > shareOf(500), `${compiled} compiled, ${refused} refused`)
  })

  it('are all valid before they are changed', () => {
    for (const sample of samples) program(sample)
  })
})

const hostile = [
  '\0',
  '\xff',
  '%',
  '%u',
  '&',
  '=',
  ';',
  '"',
  '<',
  '\\',
  '../',
  '%00',
  '{',
  '[',
  '--',
  '\r\n',
  ' ',
  'a',
]

function randomBytes(random: Random, lengthMax: number): string {
  let text = ''
  for (let length = random(lengthMax); length > 0; length--) {
    text += random(3) === 0 ? String.fromCharCode(random(256)) : pick(hostile, random).repeat(1 + random(3))
  }
  return text
}

/** Requests that no benign client sends: any bytes at any position. */
function hostileRequest(random: Random): TestRequest {
  const types = [
    'application/json',
    'text/xml',
    'multipart/form-data; boundary=b',
    'application/x-www-form-urlencoded',
  ]
  return {
    method: randomBytes(random, 3),
    target: randomBytes(random, 30),
    protocol: randomBytes(random, 3),
    headers: [
      ['Content-Type', random(5) === 0 ? randomBytes(random, 9) : pick(types, random)],
      ...Array.from(
        { length: random(6) },
        () =>
          [
            pick(['Cookie', 'Host', 'cookie', '', 'X', randomBytes(random, 4)], random),
            randomBytes(random, 20),
          ] as const,
      ),
    ],
    body: pick(['', '{"a":', '<a b="', '--b\r\n', 'a='], random) + randomBytes(random, 60),
    complete: random(2) === 0,
    clientIp: random(4) === 0 ? randomBytes(random, 3) : '192.0.2.1',
    response: {
      status: random(1000),
      headers: [['Content-Type', pick(['text/html', randomBytes(random, 5)], random)]],
      body: randomBytes(random, 30),
    },
  }
}

describe('hostile requests', () => {
  it('are inspected by small programs', () => {
    for (let seed = 0; seed < shareOf(200); seed++) {
      const random = randomFrom(110_000 + seed)
      const rules = program(randomRules(random))
      for (let times = 8; times > 0; times--) {
        const request = hostileRequest(random)
        const want = outcomeOf(rules, request, { exact: true })
        assert.deepEqual(outcomeOf(rules, request), want, JSON.stringify({ seed, request }))
      }
    }
  })

  it('are inspected by CRS 4.28.0', { skip: crsMissing }, () => {
    const rules = crsProgram('4.28.0', { engine: 'DetectionOnly' })
    const random = randomFrom(111)
    for (let round = 0; round < shareOf(300); round++) {
      const request =
        random(3) === 0 ? { ...randomRequest(random), ...hostileRequest(random) } : hostileRequest(random)
      const want = outcomeOf(rules, request, { exact: true })
      assert.deepEqual(outcomeOf(rules, request), want, JSON.stringify(request))
    }
  })
})
