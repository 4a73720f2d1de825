import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { explainLimits } from '../limits.ts'
import { program, type TestRequest, wafRequest } from '../testing/requests.ts'
import { explain } from './explain.ts'
import type { ExplainedLink, ExplainInput, ExplainOptions, Explanation, RuleOutcome } from './explanation.ts'

interface Extra extends ExplainOptions {
  readonly off?: readonly number[]
  readonly response?: ExplainInput['response']
}

function explained(rules: string, request: TestRequest = {}, extra: Extra = {}): Explanation {
  const { off = [], response, ...options } = extra
  const compiled = program(rules)
  const body = Buffer.from(request.body ?? '', 'latin1')
  const input = { request: wafRequest(request), body, ...(response === undefined ? {} : { response }) }
  return explain(
    compiled,
    input,
    compiled.mask(rule => off.includes(rule.id)),
    options,
  )
}

const critical = `severity:CRITICAL,tag:'paranoia-level/1'`
const page = { status: 200, protocol: 'HTTP/1.1', headers: [['Content-Type', 'text/html']] } as const

/** `ARGS:a |A%20b| urlDecodeUni |A b| lowercase |a b| [a]` */
function valuesOf({ values }: ExplainedLink): string[] {
  return values.map(({ target, original, steps, found }) =>
    [
      `${target} |${original.text}|`,
      ...steps.map(({ transformation, changed, value }) =>
        changed ? `${transformation} |${value.text}|` : transformation,
      ),
      ...(found.length === 0 ? [] : [`[${found.map(part => part?.text ?? '').join(',')}]`]),
    ].join(' '),
  )
}

describe('matches', () => {
  it('are listed in order, with score, running total, message, data and every link', () => {
    const { matches, requestScore, interruption } = explained(
      `SecRule ARGS "@rx (b)(x)?" "id:1,phase:2,t:none,t:urlDecodeUni,t:lowercase,capture,chain,${critical},\\
         msg:'found %{tx.1}',logdata:'in %{matched_var_name}'"
         SecRule REQUEST_METHOD|ARGS:a "@streq GET" "t:none"
       SecAction "id:2,phase:2,nolog,setvar:tx.n=1"
       SecRule TX:n "!@eq 2" "id:3,phase:2,severity:NOTICE,tag:'paranoia-level/2',msg:'second'"`,
      { target: '/?a=A%2520B&z=z' },
    )
    assert.deepEqual(
      matches.map(({ rule, score, total, helper, message, data }) => [
        rule.id,
        score,
        total,
        helper,
        message.text,
        data.text,
      ]),
      [
        [1, 5, 5, false, 'found b', 'in REQUEST_METHOD'],
        [3, 2, 7, false, 'second', ''],
      ],
    )
    assert.deepEqual([requestScore, interruption], [7, undefined])
    const [head, link] = matches[0]!.links
    assert.deepEqual(valuesOf(head!), ['ARGS:a |A%20B| urlDecodeUni |A B| lowercase |a b| [b,b,]'])
    assert.deepEqual(
      [head!.operator, head!.parameter.text, head!.targets, head!.transformations],
      ['@rx', '(b)(x)?', ['ARGS'], ['urlDecodeUni', 'lowercase']],
    )
    assert.deepEqual(valuesOf(link!), ['REQUEST_METHOD |GET|'])
    assert.deepEqual(link!.targets, ['REQUEST_METHOD', 'ARGS:a'])
    assert.equal(matches[1]!.links[0]!.operator, '!@eq')
  })

  it('of helpers are listed on request', () => {
    const rules = `SecAction "id:1,phase:1,nolog"
      SecRule &ARGS "@eq 0" "id:2,phase:2"`
    const ids = (options: Extra): number[] => explained(rules, {}, options).matches.map(({ rule }) => rule.id)
    assert.deepEqual(ids({}), [2])
    assert.deepEqual(ids({ helpers: true }), [1, 2])
  })

  it('of the response have a separate total', () => {
    const rules = `SecRule ARGS "@rx ." "id:1,phase:2,${critical}"
      SecRule RESPONSE_STATUS "@eq 200" "id:2,phase:3,${critical}"`
    const { matches, requestScore, responseScore } = explained(rules, { target: '/?a=1' }, { response: page })
    assert.deepEqual(
      matches.map(({ total }) => total),
      [5, 5],
    )
    assert.deepEqual([requestScore, responseScore], [5, 5])
  })

  it('with multiMatch show the steps up to each value', () => {
    const { matches } = explained(`SecRule ARGS "@rx ^A|a$" "id:1,phase:2,multiMatch,t:trim,t:lowercase"`, {
      target: '/?a=A',
    })
    assert.deepEqual(valuesOf(matches[0]!.links[0]!), ['ARGS:a |A| [A]', 'ARGS:a |A| trim lowercase |a| [a]'])
  })
})

interface Row {
  readonly name: string
  readonly rules: string
  readonly request?: TestRequest
  readonly extra?: Extra
  /** Of rule 7. */
  readonly want: string
}

function told(outcome: RuleOutcome | undefined): string {
  if (outcome === undefined) return 'nothing'
  switch (outcome.outcome) {
    case 'matched':
      return `matched ${outcome.match.rule.id}`
    case 'unknown':
      return `unknown ${outcome.id}, near ${outcome.nearest}`
    case 'off':
      return 'off'
    case 'removed':
    case 'jumped-over':
      return `${outcome.outcome} by ${outcome.by?.id}`
    case 'not-reached':
      return `${outcome.why} by ${outcome.by?.id}`
    default: {
      const link = outcome.links.at(-1)!
      const excluded = link.excluded.map(({ target, by }) => ` without ${target} by ${by.id}`).join('')
      const values = link.values.length === 0 ? ` ${link.targets}` : ` ${valuesOf(link)}`
      return `${outcome.outcome} in link ${link.link}${values}${excluded}`
    }
  }
}

const seven = `SecRule ARGS "@streq x" "id:7,phase:2,${critical}"`
const rows: readonly Row[] = [
  { name: 'a match', rules: seven, request: { target: '/?a=x' }, want: 'matched 7' },
  {
    name: 'a match of a helper',
    rules: 'SecAction "id:7,phase:1,nolog"',
    want: 'matched 7',
  },
  {
    name: 'no such rule',
    rules: 'SecAction "id:5"\nSecAction "id:9"\nSecAction "id:70"',
    want: 'unknown 7, near 5,9',
  },
  { name: 'off', rules: seven, extra: { off: [7] }, want: 'off' },
  {
    name: 'a rule stops the request in an earlier phase',
    rules: `SecAction "id:1,phase:1,deny"\n${seven}`,
    want: 'interrupted by 1',
  },
  {
    name: 'or in the same',
    rules: `SecAction "id:1,phase:2,drop"\n${seven}`,
    want: 'interrupted by 1',
  },
  {
    name: 'a rule that would stop but only detects',
    rules: `SecRuleEngine DetectionOnly\nSecAction "id:1,phase:1,deny"\n${seven}`,
    want: 'nothing-to-test in link 0 ARGS',
  },
  {
    name: 'a rule allows the rest of the phase',
    rules: `SecAction "id:1,phase:2,allow:phase"\n${seven}`,
    want: 'allowed by 1',
  },
  {
    name: 'a rule allows another phase only',
    rules: `SecAction "id:1,phase:1,allow:phase"\n${seven}`,
    want: 'nothing-to-test in link 0 ARGS',
  },
  {
    name: 'a rule allows the request',
    rules: `SecAction "id:1,phase:1,allow:request"\n${seven}`,
    want: 'allowed by 1',
  },
  {
    name: 'an allow for the request does not hold for the response',
    rules: `SecAction "id:1,phase:1,allow:request"\nSecRule RESPONSE_STATUS "@eq 404" "id:7,phase:3"`,
    extra: { response: page },
    want: 'no-match in link 0 RESPONSE_STATUS |200|',
  },
  {
    name: 'a rule allows everything',
    rules: `SecAction "id:1,phase:1,allow"\nSecRule RESPONSE_STATUS "@eq 404" "id:7,phase:4"`,
    extra: { response: page },
    want: 'allowed by 1',
  },
  {
    name: 'the first of several ends that concern the phase',
    rules: `SecAction "id:1,phase:1,allow:phase"\nSecAction "id:2,phase:2,allow:phase"\n${seven}`,
    want: 'allowed by 2',
  },
  {
    name: 'a rule switches the engine off',
    rules: `SecAction "id:1,phase:1,ctl:ruleEngine=Off"\n${seven}`,
    want: 'switched-off by 1',
  },
  { name: 'the engine is off', rules: `SecRuleEngine Off\n${seven}`, want: 'engine-off by undefined' },
  {
    name: 'the body is beyond its limit',
    rules: `SecRequestBodyAccess On\nSecRequestBodyLimit 3\nSecRequestBodyLimitAction Reject\n${seven}`,
    request: { method: 'POST', body: 'four' },
    want: 'body-refused by undefined',
  },
  {
    name: 'no response',
    rules: 'SecRule RESPONSE_STATUS "@eq 404" "id:7,phase:3"',
    want: 'no-response by undefined',
  },
  {
    name: 'jumped over by skipAfter',
    rules: `SecAction "id:1,phase:2,skipAfter:END"\n${seven}\nSecMarker END`,
    want: 'jumped-over by 1',
  },
  {
    name: 'jumped over by skip',
    rules: `SecAction "id:1,phase:2,skip:1"\n${seven}`,
    want: 'jumped-over by 1',
  },
  {
    name: 'removed',
    rules: `SecAction "id:1,phase:1,ctl:ruleRemoveById=7"\n${seven}`,
    want: 'removed by 1',
  },
  {
    name: 'a target excluded by ctl, the others do not match',
    rules: `SecAction "id:1,phase:1,ctl:ruleRemoveTargetById=7;ARGS:a"\n${seven}`,
    request: { target: '/?a=x&b=y' },
    want: 'no-match in link 0 ARGS:b |y| without ARGS:a by 1',
  },
  {
    name: 'every value excluded by ctl',
    rules: `SecAction "id:1,phase:1,ctl:ruleRemoveTargetById=7;ARGS"\n${seven}`,
    request: { target: '/?a=x' },
    want: 'nothing-to-test in link 0 ARGS without ARGS:a by 1',
  },
  {
    name: 'a target that the rule itself leaves out',
    rules: `SecRule ARGS|!ARGS:a "@streq x" "id:7,phase:2"`,
    request: { target: '/?a=x' },
    want: 'nothing-to-test in link 0 ARGS without ARGS:a by 7',
  },
  {
    name: 'a target that a directive takes away',
    rules: `${seven}\nSecRuleUpdateTargetById 7 "!ARGS:/^a/"`,
    request: { target: '/?ab=x&b=y' },
    want: 'no-match in link 0 ARGS:b |y| without ARGS:ab by 7',
  },
  {
    name: 'nothing there',
    rules: 'SecRule ARGS|REQUEST_HEADERS:X-A "@rx ." "id:7,phase:2"',
    want: 'nothing-to-test in link 0 ARGS,REQUEST_HEADERS:X-A',
  },
  {
    name: 'a number of values',
    rules: 'SecRule &ARGS "@gt 1" "id:7,phase:2"',
    request: { target: '/?a=x' },
    want: 'no-match in link 0 &ARGS |1|',
  },
  {
    name: 'each value with each step',
    rules: 'SecRule ARGS "@streq x" "id:7,phase:2,t:trim,t:lowercase"',
    request: { target: '/?a=%20Y&b=z' },
    want: 'no-match in link 0 ARGS:a | Y| trim |Y| lowercase |y|,ARGS:b |z| trim lowercase',
  },
  {
    name: 'a link of the chain',
    rules: `SecRule ARGS:a "@streq 1" "id:7,phase:2,chain"
      SecRule ARGS:b "@streq 2"`,
    request: { target: '/?a=1&b=3' },
    want: 'no-match in link 1 ARGS:b |3|',
  },
  {
    name: 'nothing there for a link of the chain',
    rules: `SecRule ARGS:a "@streq 1" "id:7,phase:2,chain"
      SecRule ARGS:b "@streq 2"`,
    request: { target: '/?a=1' },
    want: 'nothing-to-test in link 1 ARGS:b',
  },
]

describe('one rule', () => {
  for (const { name, rules, request, extra, want } of rows) {
    it(name, () => assert.equal(told(explained(rules, request, { rule: 7, ...extra }).asked), want))
  }

  it('without a named rule', () => assert.equal(explained(seven).asked, undefined))

  it('an operator is shown with its negation and its macros expanded', () => {
    const rules = `SecAction "id:1,phase:1,nolog,setvar:'tx.allowed=GET POST'"
      SecRule REQUEST_METHOD "!@within %{tx.allowed}" "id:7,phase:1"`
    const { asked } = explained(rules, {}, { rule: 7 })
    assert.equal(asked?.outcome, 'no-match')
    const [link] = asked.links
    assert.deepEqual([link!.operator, link!.parameter.text], ['!@within', 'GET POST'])
  })

  it('links of a chain that matched are shown before the first one that did not', () => {
    const rules = `SecRule ARGS "@rx 1" "id:7,phase:2,chain"
      SecRule ARGS:b "@streq 2"`
    const { asked } = explained(rules, { target: '/?a=1&b=3' }, { rule: 7 })
    assert.equal(asked?.outcome, 'no-match')
    assert.deepEqual(
      asked.links.map(link => [link.matched, ...valuesOf(link)]),
      [
        [true, 'ARGS:a |1| [1]'],
        [false, 'ARGS:b |3|'],
      ],
    )
  })
})

describe('limits', () => {
  const { valueBytesMax, valuesMax } = explainLimits
  const asked = (target: string): ExplainedLink => {
    const { asked } = explained('SecRule ARGS "@streq no" "id:7,phase:2"', { target }, { rule: 7 })
    assert.equal(asked?.outcome, 'no-match')
    return asked.links[0]!
  }

  it('values are cut, with their whole length', () => {
    const shownOf = (bytes: number) => asked(`/?a=${'v'.repeat(bytes)}`).values[0]!.original
    assert.deepEqual(shownOf(valueBytesMax), {
      text: 'v'.repeat(valueBytesMax),
      bytes: valueBytesMax,
      cut: false,
    })
    assert.deepEqual(shownOf(valueBytesMax + 1), {
      text: 'v'.repeat(valueBytesMax),
      bytes: valueBytesMax + 1,
      cut: true,
    })
  })

  it('names are cut too', () => {
    const name = 'n'.repeat(valueBytesMax)
    assert.equal(
      asked(`/?${name}=1`).values[0]!.target,
      `ARGS:${'n'.repeat(valueBytesMax - 5)}… (${valueBytesMax + 5} bytes)`,
    )
  })

  it('bytes are escaped', () => {
    const { target, original } = asked('/?a%0a=%00%5c%7e%7f%c3').values[0]!
    assert.deepEqual([target, original.text], ['ARGS:a\\x0a', '\\x00\\\\~\\x7f\\xc3'])
  })

  it('values beyond the first few are counted', () => {
    const link = asked(`/?${'a=1&'.repeat(valuesMax + 2)}`)
    assert.deepEqual([link.values.length, link.valuesMore], [valuesMax, 2])
    assert.equal(asked(`/?${'a=1&'.repeat(valuesMax)}`).valuesMore, 0)
  })
})
