import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { transactionLimits } from '../limits.ts'
import { toEnd } from '../steps.ts'
import { program, run, send, type TestRequest, wafRequest } from '../testing/requests.ts'

/** Details of rules that are easily wrong without another test noticing. */

interface Row {
  readonly name: string
  readonly rules: string
  readonly request?: TestRequest
  readonly want: readonly string[]
}

function table(title: string, rows: readonly Row[]): void {
  describe(title, () => {
    for (const { name, rules, request = {}, want } of rows) {
      it(name, () => assert.deepEqual(run(rules, request).matched, want))
    }
  })
}

table('targets', [
  {
    name: 'patterns select keys',
    rules: `
      SecRule ARGS:/^a/ "@rx ." "id:1,phase:2,nolog,setvar:'tx.n=%{tx.n}%{MATCHED_VAR_NAME} '"
      SecRule ARGS:/b$/ "@rx ." "id:2,phase:2,nolog,setvar:'tx.m=%{tx.m}%{MATCHED_VAR_NAME} '"
      SecAction "id:3,phase:2,msg:'%{tx.n}/ %{tx.m}'"`,
    request: { target: '/?a=1&b=2&ab=3' },
    want: ['3 ARGS:a ARGS:ab / ARGS:b ARGS:ab'],
  },
  {
    name: 'a count includes excluded values',
    rules: `
      SecRule &ARGS|!ARGS:a "@eq 2" "id:1,phase:2"
      SecRule &ARGS:a|!ARGS:a "@eq 1" "id:2,phase:2"`,
    request: { target: '/?a=1&b=2' },
    want: ['1', '2'],
  },
  {
    name: 'the number of all variables of TX',
    rules: `
      SecAction "id:1,phase:1,nolog,setvar:tx.a=1,setvar:tx.b=1"
      SecRule &TX "@eq 2" "id:2,phase:1"
      SecRule ARGS "@rx ." "id:3,phase:1,nolog,setvar:tx.c=1"
      SecRule &TX "@eq 3" "id:4,phase:1"
      SecRule &TX:/^[ab]$/ "@eq 2" "id:5,phase:1"`,
    request: { target: '/?a=1' },
    want: ['2', '4', '5'],
  },
])

table('captures', [
  {
    name: 'become variables, and go with the next match',
    rules: `
      SecRule ARGS:a "@rx (.)(.)" "id:1,phase:1,nolog,capture,setvar:tx.5=five"
      SecAction "id:2,phase:1,msg:'%{tx.1}%{tx.2}%{tx.5}'"
      SecRule ARGS:a "@rx ." "id:3,phase:1,nolog,capture,setvar:tx.6=six"
      SecAction "id:4,phase:1,msg:'%{tx.0}/%{tx.1}/%{tx.2}/%{tx.5}/%{tx.6}'"
      SecRule &TX:/^[12]$/ "@eq 0" "id:5,phase:1"`,
    request: { target: '/?a=xy' },
    want: ['2 xyfive', '4 x////six', '5'],
  },
  {
    name: 'are found by patterns',
    rules: `
      SecRule ARGS:a "@rx (x)(y)" "id:1,phase:1,nolog,capture"
      SecRule TX:/^[12]$/ "@streq y" "id:2,phase:1,msg:'%{MATCHED_VAR_NAME}'"`,
    request: { target: '/?a=xy' },
    want: ['2 TX:2'],
  },
  {
    name: 'of a pattern with macros come from the moment of the match',
    rules: `
      SecAction "id:1,phase:1,nolog,setvar:tx.p=x."
      SecRule ARGS:a "@rx (%{tx.p})" "id:2,phase:1,nolog,capture,setvar:tx.p=z"
      SecAction "id:3,phase:1,msg:'%{tx.1}'"`,
    request: { target: '/?a=axyz' },
    want: ['3 xy'],
  },
])

table('actions', [
  {
    name: 'skip counts rules of its phase',
    rules: `
      SecAction "id:1,phase:1,nolog,skip:1"
      SecAction "id:2,phase:2"
      SecAction "id:3,phase:1"
      SecAction "id:4,phase:1"`,
    want: ['4', '2'],
  },
  {
    name: 'the severity of the most severe match is known',
    rules: `
      SecRule HIGHEST_SEVERITY "@eq 255" "id:1,phase:1"
      SecAction "id:2,phase:1,severity:4"
      SecAction "id:3,phase:1,severity:2"
      SecAction "id:4,phase:1,severity:5"
      SecRule HIGHEST_SEVERITY "@eq 2" "id:5,phase:1"`,
    want: ['1', '2', '3', '4', '5'],
  },
  {
    name: 'a collection is opened once',
    rules: `
      SecAction "id:1,phase:1,nolog,initcol:ip=a,setvar:ip.n=1"
      SecAction "id:2,phase:1,nolog,initcol:ip=b"
      SecAction "id:3,phase:1,msg:'%{IP.n}'"`,
    want: ['3 1'],
  },
  {
    name: 'setuid, setsid and setrsc open a collection each',
    rules: `
      SecAction "id:1,phase:1,nolog,setuid:a,setvar:user.n=1,setvar:session.n=2"
      SecAction "id:2,phase:1,nolog,setsid:a,setvar:session.n=3,setvar:resource.n=4"
      SecAction "id:3,phase:1,nolog,setrsc:a,setvar:resource.n=5"
      SecAction "id:4,phase:1,msg:'%{USER.n}%{SESSION.n}%{RESOURCE.n}'"`,
    want: ['4 135'],
  },
  {
    name: 'forceRequestBodyVariable can be taken back',
    rules: `
      SecAction "id:1,phase:1,nolog,ctl:forceRequestBodyVariable=On"
      SecRule ARGS:off "@rx ." "id:2,phase:1,nolog,ctl:forceRequestBodyVariable=Off"
      SecRule &REQUEST_BODY "@eq 0" "id:3,phase:2"`,
    request: { target: '/?off=1', body: 'x', headers: [['Content-Type', 'application/octet-stream']] },
    want: ['3'],
  },
  {
    name: 'a variable has so many bytes at most',
    rules: `
      SecAction "id:1,phase:1,nolog,setvar:tx.a=xxxxxxxxxx"
      ${Array.from({ length: 16 }, (_, i) => `SecAction "id:1${i},phase:1,nolog,setvar:tx.a=%{tx.a}%{tx.a}"`).join('\n')}
      SecRule TX:a "@eq ${transactionLimits.variableBytesMax}" "id:2,phase:1,t:length"`,
    want: ['2'],
  },
])

table('directives', [
  {
    name: 'removals leave markers where they are',
    rules: `
      SecAction "id:1,phase:1,nolog,skipAfter:END"
      SecAction "id:2,phase:1"
      SecMarker END
      SecAction "id:3,phase:1"
      SecRuleRemoveById 2`,
    want: ['3'],
  },
  {
    name: 'an update keeps repeatable actions, and actions that it does not name',
    rules: `
      SecRule ARGS "@streq x" "id:1,phase:2,t:lowercase,tag:a,setvar:tx.n=1,msg:'%{tx.n}%{tx.m}'"
      SecRuleUpdateActionById 1 "tag:b,setvar:tx.m=2,t:trim"
      SecAction "id:2,phase:2,tag:c,msg:two"
      SecRuleUpdateActionById 2 "tag:d"
      SecAction "id:3,phase:1,nolog,ctl:ruleRemoveByTag=^c"`,
    request: { target: '/?q=+X+' },
    want: ['1 12'],
  },
])

describe('matches', () => {
  it('show the logdata of the last link that has some', () => {
    const { transaction } = run(
      `SecRule ARGS:a "@rx ." "id:1,phase:2,logdata:'first %{MATCHED_VAR}',chain"
         SecRule ARGS:b "@rx ." "logdata:'second %{MATCHED_VAR}',chain"
           SecRule ARGS:c "@rx ."`,
      { target: '/?a=1&b=2&c=3' },
    )
    assert.deepEqual(
      transaction.matches.map(match => match.data),
      ['second 3'],
    )
  })

  it('of detection rules add their score once', () => {
    const { transaction } = run(
      `SecRule ARGS "@rx ." "id:1,phase:2,severity:CRITICAL,tag:'paranoia-level/1'"
       SecRule ARGS "@rx ." "id:2,phase:2,severity:NOTICE,tag:'paranoia-level/1'"
       SecRule RESPONSE_STATUS "@eq 200" "id:3,phase:3,severity:ERROR,tag:'paranoia-level/1'"`,
      { target: '/?a=1&b=2&c=3' },
    )
    assert.deepEqual([transaction.requestScore, transaction.responseScore], [7, 4])
  })
})

describe('verdicts', () => {
  it('do not stop the logging phase', () => {
    const rules = program(`
      SecAction "id:1,phase:5,deny"
      SecAction "id:2,phase:5,allow"
      SecAction "id:3,phase:5"`)
    const transaction = rules.begin(
      wafRequest({}),
      rules.mask(() => false),
    )
    assert.equal(toEnd(transaction.logging()), undefined)
    assert.deepEqual(
      transaction.matches.map(match => match.rule.id),
      [1, 2, 3],
    )
  })

  it('leave nothing to later phases that run, except for logging', () => {
    const rules = program(`
      SecAction "id:1,phase:1,deny"
      SecAction "id:2,phase:2,deny"
      SecAction "id:3,phase:3,deny"
      SecAction "id:4,phase:4,deny"
      SecAction "id:5,phase:5"`)
    const transaction = rules.begin(
      wafRequest({}),
      rules.mask(() => false),
    )
    assert.equal(toEnd(transaction.requestHeaders())?.ruleId, 1)
    assert.equal(transaction.wantsRequestBody, false)
    transaction.addRequestBody(Buffer.from('a=b'))
    assert.equal(toEnd(transaction.requestBody(true)), undefined)
    assert.equal(toEnd(transaction.responseHeaders(200, 'HTTP/1.1', [])), undefined)
    assert.equal(toEnd(transaction.responseBody(Buffer.from('x'), true)), undefined)
    toEnd(transaction.logging())
    assert.deepEqual(
      transaction.matches.map(match => match.rule.id),
      [1, 5],
    )
  })
})

describe('the work of one request', () => {
  const rules = `
    SecRule ARGS "@rx x" "id:1,phase:1"
    SecRule ARGS "@rx x$" "id:2,phase:1,t:sha1,t:hexEncode"
    SecAction "id:3,phase:2"
    SecAction "id:4,phase:5"`

  it('ends at its limit, and is reported', () => {
    const made = program(rules, { workMax: 1000 })
    const short = send(made, { target: `/?a=${'x'.repeat(100)}` })
    assert.deepEqual([short.transaction.overBudget, short.matched], [false, ['1', '3', '4']])
    const long = send(made, { target: `/?a=${'x'.repeat(2000)}` })
    assert.deepEqual([long.transaction.overBudget, long.matched], [true, []])
  })

  it('counts the values that rules test one by one, too', () => {
    const counting = program(
      `SecRule ARGS "@contains %{tx.no}" "id:1,phase:1,nolog,skipAfter:END"
       SecRule ARGS "!@contains %{tx.no}" "id:2,phase:1"
       SecMarker END
       SecAction "id:3,phase:1"`,
      { workMax: 1000 },
    )
    assert.equal(send(counting, { target: '/?a=x' }).transaction.overBudget, false)
    assert.equal(send(counting, { target: `/?a=${'x'.repeat(2000)}` }).transaction.overBudget, true)
  })
})
