import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { transactionLimits } from '../limits.ts'
import { program, run, send, type TestRequest } from '../testing/requests.ts'

interface Row {
  readonly name: string
  readonly rules: string
  readonly request?: TestRequest
  readonly want: readonly string[]
}

const controls: readonly Row[] = [
  {
    name: 'ruleRemoveById takes single ids and ranges, for the rest of the transaction',
    rules: `
      SecAction "id:1,phase:1"
      SecAction "id:2,phase:1,nolog,ctl:ruleRemoveById=1,ctl:ruleRemoveById=3-4"
      SecAction "id:3,phase:1"
      SecAction "id:4,phase:2"
      SecAction "id:5,phase:2"`,
    want: ['1', '5'],
  },
  {
    name: 'ruleRemoveByTag reaches rules above in later phases and below in this one',
    rules: `
      SecAction "id:1,phase:2,tag:OWASP_CRS"
      SecAction "id:2,phase:1,nolog,ctl:ruleRemoveByTag=OWASP_CRS"
      SecAction "id:3,phase:1,tag:OWASP_CRS/OTHER"
      SecAction "id:4,phase:1,tag:other"`,
    want: ['4'],
  },
  {
    name: 'ruleRemoveByMsg',
    rules: `
      SecAction "id:1,phase:1,nolog,ctl:ruleRemoveByMsg=^bad"
      SecAction "id:2,phase:1,msg:'bad thing'"
      SecAction "id:3,phase:1,msg:'not bad'"`,
    want: ['3 not bad'],
  },
  {
    name: 'ruleRemoveTargetById: one key, a regular expression, the whole variable',
    rules: `
      SecAction "id:1,phase:1,nolog,ctl:ruleRemoveTargetById=11;ARGS:Q,ctl:ruleRemoveTargetById=12-13;ARGS:/^q/,ctl:ruleRemoveTargetById=14;ARGS"
      SecRule ARGS "@rx ." "id:11,phase:2,msg:'%{MATCHED_VAR_NAME}'"
      SecRule ARGS "@rx ." "id:12,phase:2,msg:'%{MATCHED_VAR_NAME}'"
      SecRule ARGS|REQUEST_METHOD "@rx ." "id:14,phase:2,msg:'%{MATCHED_VAR_NAME}'"
      SecRule ARGS "@rx ." "id:15,phase:2,msg:'%{MATCHED_VAR_NAME}'"`,
    request: { target: '/?q=1&qq=2&r=3' },
    want: ['11 ARGS:qq', '12 ARGS:r', '14 REQUEST_METHOD', '15 ARGS:q'],
  },
  {
    name: 'ruleRemoveTargetByTag: XPaths are separate targets',
    rules: `
      SecAction "id:1,phase:1,nolog,ctl:requestBodyProcessor=XML,ctl:ruleRemoveTargetByTag=sqli;XML://@*"
      SecRule XML:/*|XML://@* "@rx ." "id:2,phase:2,tag:sqli,msg:'%{MATCHED_VAR}'"
      SecRule XML://@* "@rx ." "id:3,phase:2,tag:sqli"
      SecRule XML://@* "@rx ." "id:4,phase:2,msg:'%{MATCHED_VAR}'"`,
    request: { body: '<a b="c">d</a>', headers: [['Content-Type', 'text/xml']] },
    want: ['2 d', '4 c'],
  },
  {
    name: 'ruleEngine=Off ends everything, logging too',
    rules: `
      SecAction "id:1,phase:1,ctl:ruleEngine=Off"
      SecAction "id:2,phase:1"
      SecAction "id:3,phase:5"`,
    want: ['1'],
  },
  {
    name: 'forceRequestBodyVariable fills REQUEST_BODY when there is no processor',
    rules: `
      SecRule &REQUEST_BODY "@eq 1" "id:1,phase:2"
      SecRule REQUEST_BODY "@streq x" "id:2,phase:2"
      SecAction "id:3,phase:1,nolog,ctl:forceRequestBodyVariable=On"`,
    request: { body: 'x', headers: [['Content-Type', 'application/octet-stream']] },
    want: ['1', '2'],
  },
  {
    name: 'requestBodyAccess=Off leaves the body alone',
    rules: `
      SecAction "id:1,phase:1,nolog,ctl:requestBodyAccess=off"
      SecRule ARGS "@rx ." "id:2,phase:2"`,
    request: { body: 'a=b', headers: [['Content-Type', 'application/x-www-form-urlencoded']] },
    want: [],
  },
]

describe('ctl', () => {
  for (const { name, rules, request = {}, want } of controls) {
    it(name, () => assert.deepEqual(run(rules, request).matched, want))
  }

  it('lasts for one transaction only', () => {
    const rules = program(`
      SecRule ARGS:off "@rx ." "id:1,phase:1,nolog,ctl:ruleRemoveById=2"
      SecAction "id:2,phase:2"`)
    assert.deepEqual(send(rules, { target: '/?off=1' }).matched, [])
    assert.deepEqual(send(rules).matched, ['2'])
  })
})

describe('verdicts', () => {
  const blocking = 'SecDefaultAction "phase:2,log,deny,status:429"'
  const rows = [
    { name: 'deny is 403', actions: 'deny', want: { ruleId: 1, action: 'deny', status: 403 } },
    { name: 'status', actions: 'deny,status:406', want: { ruleId: 1, action: 'deny', status: 406 } },
    { name: 'drop', actions: 'drop', want: { ruleId: 1, action: 'drop', status: 403 } },
    {
      name: 'redirect is 302 and expands macros',
      actions: "redirect:'/no?was=%{REQUEST_METHOD}',status:406",
      want: { ruleId: 1, action: 'redirect', status: 302, location: '/no?was=GET' },
    },
    {
      name: 'redirect takes a status of redirections',
      actions: 'redirect:/no,status:301',
      want: { ruleId: 1, action: 'redirect', status: 301, location: '/no' },
    },
    { name: 'pass', actions: 'pass', defaults: blocking, want: undefined },
    { name: 'block passes without SecDefaultAction', actions: 'block', want: undefined },
    {
      name: 'block is the action of SecDefaultAction',
      actions: 'block',
      defaults: blocking,
      want: { ruleId: 1, action: 'deny', status: 429 },
    },
    {
      name: 'the default counts without any',
      actions: 'log',
      defaults: blocking,
      want: { ruleId: 1, action: 'deny', status: 429 },
    },
    {
      name: "the default's status is inherited",
      actions: 'drop',
      defaults: blocking,
      want: { ruleId: 1, action: 'drop', status: 429 },
    },
  ]
  for (const { name, actions, defaults = '', want } of rows) {
    it(name, () => {
      const { interruption, matched } = run(`${defaults}
        SecAction "id:1,phase:2,${actions}"
        SecAction "id:2,phase:2,pass"
        SecAction "id:3,phase:3"
        SecAction "id:4,phase:5,deny"`)
      assert.deepEqual(interruption, want)
      assert.deepEqual(matched, want === undefined ? ['1', '2', '3', '4'] : ['1', '4'])
    })
  }

  it('DetectionOnly and passive ranges never interrupt, and all rules run', () => {
    const rules = `
      SecAction "id:1,phase:1,deny,setvar:tx.n=1"
      SecRule TX:n "@eq 1" "id:2,phase:2,drop"`
    for (const { text, options } of [
      { text: `SecRuleEngine DetectionOnly\n${rules}`, options: {} },
      { text: rules, options: { passive: [[1, 2] as const] } },
      { text: `SecAction "id:9,phase:1,nolog,ctl:ruleEngine=DetectionOnly"\n${rules}`, options: {} },
    ]) {
      const { interruption, matched } = run(text, {}, options)
      assert.equal(interruption, undefined)
      assert.deepEqual(matched, ['1', '2'])
    }
  })

  it('allow ends the phase, the phases of the request, or all but logging', () => {
    const rules = (allow: string): string => `
      SecAction "id:1,phase:1,nolog,${allow}"
      SecAction "id:2,phase:1"
      SecAction "id:3,phase:2"
      SecAction "id:4,phase:3"
      SecAction "id:5,phase:5"`
    assert.deepEqual(run(rules('allow:phase')).matched, ['3', '4', '5'])
    assert.deepEqual(run(rules('allow:request')).matched, ['4', '5'])
    assert.deepEqual(run(rules('allow')).matched, ['5'])
  })
})

describe('log and nolog', () => {
  it('nolog rules are not among the matches, but their points count', () => {
    const tags = "tag:'paranoia-level/1'"
    const { matched, transaction } = run(`
      SecAction "id:1,phase:2,nolog,severity:CRITICAL,${tags}"
      SecAction "id:2,phase:2,noauditlog,severity:ERROR,${tags}"
      SecAction "id:3,phase:4,severity:warning,${tags}"
      SecAction "id:4,phase:2,severity:CRITICAL"
      SecDefaultAction "phase:2,nolog,pass"
      SecAction "id:5,phase:2"
      SecAction "id:6,phase:2,log"`)
    assert.deepEqual(matched, ['2', '4', '6', '3'])
    assert.equal(transaction.requestScore, 9)
    assert.equal(transaction.responseScore, 3)
  })

  it('a rule scores once for any number of values', () => {
    const { transaction } = run(
      `SecRule ARGS "@rx ." "id:1,phase:2,severity:CRITICAL,tag:'paranoia-level/4'"`,
      { target: '/?a=1&b=2&c=3' },
    )
    assert.equal(transaction.requestScore, 5)
  })

  it('a match has target, transformed value, message and data; a chain reports its last link', () => {
    const { transaction } = run(
      `SecRule ARGS:a "@rx b" "id:1,phase:2,capture,t:lowercase,msg:'m %{MATCHED_VAR}',logdata:'%{TX.0} in %{MATCHED_VAR_NAME}',chain"
         SecRule MATCHED_VARS "@rx c"`,
      { target: '/?a=ABC' },
    )
    const [match] = transaction.matches
    assert.deepEqual(
      { ...match, rule: match?.rule.id },
      {
        rule: 1,
        target: 'ARGS:a',
        value: 'abc',
        message: 'm abc',
        data: 'b in ARGS:a',
      },
    )
  })
})

it('data of a match keeps the state at the match, whenever it is read', () => {
  const { transaction } = run(
    `SecAction "id:1,phase:2,nolog,setvar:tx.n=1"
     SecRule ARGS:a "@rx (b)c" "id:2,phase:2,capture,logdata:'%{TX.1} %{MATCHED_VAR} in %{MATCHED_VAR_NAME}'"
     SecRule ARGS:a "@rx (b)c" "id:3,phase:2,capture,logdata:'%{TX.1} %{tx.n} %{MATCHED_VAR}'"
     SecAction "id:4,phase:2,logdata:'%{MATCHED_VAR} %{TX.1}'"
     SecRule ARGS:d "@rx (e)" "id:5,phase:2,logdata:'%{TX.1} %{MATCHED_VAR}',setvar:tx.n=2"
     SecRule &ARGS "@eq 2" "id:6,phase:2,logdata:'%{MATCHED_VAR_NAME}=%{MATCHED_VAR}'"`,
    { target: '/?a=abc&d=e' },
  )
  assert.deepEqual(
    transaction.matches.map(match => match.data),
    ['b abc in ARGS:a', 'b 1 abc', 'abc b', 'b e', '&ARGS=2'],
  )
})

describe('persistent collections', () => {
  const rules = `
    SecAction "id:1,phase:1,nolog,initcol:ip=%{REMOTE_ADDR}"
    SecRule &IP:n "@gt 0" "id:2,phase:1,msg:'%{ip.n}'"
    SecAction "id:3,phase:1,nolog,setvar:ip.n=+1,expirevar:ip.n=60"`

  it('live on between requests of the same key', () => {
    const counting = program(rules)
    assert.deepEqual(send(counting).matched, [])
    assert.deepEqual(send(counting).matched, ['2 1'])
    assert.deepEqual(send(counting, { clientIp: '192.0.2.9' }).matched, [])
    assert.deepEqual(send(counting).matched, ['2 2'])
  })

  it('a rehearsal sees them, and its writes are forgotten', () => {
    const counting = program(rules)
    const rehearsing = {
      ...counting,
      mask: counting.mask.bind(counting),
      begin: counting.rehearse.bind(counting),
    }
    assert.deepEqual(send(rehearsing).matched, [], 'of an unknown client')
    assert.deepEqual(send(counting).matched, [])
    assert.deepEqual(send(rehearsing).matched, ['2 1'])
    assert.deepEqual(send(rehearsing).matched, ['2 1'])
    assert.deepEqual(send(counting).matched, ['2 1'])
    assert.deepEqual(send(rehearsing, { startedMs: 1_059_999 }).matched, ['2 2'])
    assert.deepEqual(send(rehearsing, { startedMs: 1_060_000 }).matched, [])
  })

  it('variables expire', () => {
    const counting = program(rules)
    send(counting, { startedMs: 0 })
    assert.deepEqual(send(counting, { startedMs: 59_999 }).matched, ['2 1'])
    assert.deepEqual(send(counting, { startedMs: 59_999 + 60_000 }).matched, [])
  })

  it('records expire after SecCollectionTimeout', () => {
    const counting = program(`SecCollectionTimeout 10\n${rules}`)
    send(counting, { startedMs: 0 })
    assert.deepEqual(send(counting, { startedMs: 9_999 }).matched, ['2 1'])
    assert.deepEqual(send(counting, { startedMs: 9_999 + 10_000 }).matched, [])
  })

  it('a record keeps a limited number of bytes', () => {
    const keeping = program(`
      SecAction "id:1,phase:1,nolog,initcol:ip=%{REMOTE_ADDR}"
      SecRule &IP:v "@gt 0" "id:2,phase:1,msg:'kept'"
      SecAction "id:3,phase:1,nolog,setvar:ip.v=%{ARGS.v}"`)
    const valueBytesMax = transactionLimits.persistentRecordBytesMax - 'v'.length
    const secondOf = (clientIp: string, length: number) => {
      const request = { clientIp, target: `/?v=${'x'.repeat(length)}` }
      send(keeping, request)
      return send(keeping, request).matched
    }
    assert.deepEqual(secondOf('192.0.2.1', valueBytesMax), ['2 kept'])
    assert.deepEqual(secondOf('192.0.2.2', valueBytesMax + 1), [])
  })

  it('a collection without initcol is empty', () => {
    const { matched } = run(`
      SecAction "id:1,phase:1,nolog,setvar:ip.n=1"
      SecRule &IP:n "@eq 0" "id:2,phase:1"`)
    assert.deepEqual(matched, ['2'])
  })
})
