import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compile } from '../compile/compile.ts'
import { program, run, send } from '../testing/requests.ts'

describe('directives that change rules above them', () => {
  const rules = `
    SecRule ARGS "@rx ." "id:1,phase:2,tag:a,msg:'one'"
    SecRule ARGS "@rx ." "id:2,phase:2,tag:b,msg:'two',deny,status:406"
    SecRule ARGS "@rx ." "id:3,phase:2,tag:ab,msg:'three'"`
  const request = { target: '/?x=1&y=2' }
  const rows = [
    { name: 'SecRuleRemoveById', directive: 'SecRuleRemoveById 1 3', want: ['2 two'] },
    { name: 'a range', directive: 'SecRuleRemoveById 1-2', want: ['3 three'] },
    { name: 'SecRuleRemoveByTag is a search', directive: 'SecRuleRemoveByTag b', want: ['1 one'] },
    { name: 'SecRuleRemoveByMsg', directive: 'SecRuleRemoveByMsg "^t"', want: ['1 one'] },
    {
      name: 'SecRuleUpdateTargetById',
      directive: 'SecRuleUpdateTargetById 2-3 "!ARGS"\nSecRuleUpdateTargetById 3 "REQUEST_METHOD"',
      want: ['1 one', '3 three'],
    },
    {
      name: 'SecRuleUpdateTargetByTag',
      directive: 'SecRuleUpdateTargetByTag ^b "!ARGS"',
      want: ['1 one', '3 three'],
    },
    { name: 'SecRuleUpdateTargetByMsg', directive: 'SecRuleUpdateTargetByMsg one "!ARGS"', want: ['2 two'] },
    {
      name: 'SecRuleUpdateActionById replaces actions that a rule has once',
      directive: `SecRuleUpdateActionById 2 "pass,msg:'second'"`,
      want: ['1 one', '2 second', '3 three'],
    },
  ]
  for (const { name, directive, want } of rows) {
    it(name, () => assert.deepEqual(run(`${rules}\n${directive}`, request).matched, want))
  }

  it('rules below are not changed', () => {
    const text = 'SecRuleRemoveById 1\nSecRuleUpdateTargetById 2 "!ARGS"'
    assert.deepEqual(run(`${text}\n${rules}`, request).matched, ['1 one', '2 two'])
  })
})

describe('masks', () => {
  const rules = program(`
    SecAction "id:1,phase:1,nolog,skipAfter:END"
    SecAction "id:2,phase:1,severity:CRITICAL,tag:'paranoia-level/1'"
    SecMarker END
    SecAction "id:3,phase:1,severity:CRITICAL,tag:'paranoia-level/2'"
    SecAction "id:4,phase:1"`)

  it('switch detection rules off, never support rules', () => {
    assert.deepEqual(send(rules).matched, ['3', '4'])
    const none = rules.mask(() => true)
    assert.deepEqual(send(rules, {}, none).matched, ['4'])
    assert.deepEqual([...none.enabled], [1, 0, 0, 1])
    const low = rules.mask(rule => rule.paranoiaLevel > 1)
    assert.deepEqual(send(rules, {}, low).matched, ['4'])
  })

  it('belong to one program', () => {
    const foreign = program('SecAction "id:1"').mask(() => false)
    assert.throws(() => send(rules, {}, foreign), /mask/)
  })

  it('decide which bodies are wanted', () => {
    const detecting = program(`
      SecRule REQUEST_HEADERS "@rx x" "id:1,phase:1,severity:2,tag:'paranoia-level/1'"
      SecRule ARGS "@rx x" "id:2,phase:2,severity:2,tag:'paranoia-level/2'"
      SecRule RESPONSE_BODY "@rx x" "id:3,phase:4,severity:2,tag:'paranoia-level/1'"
      SecRule RESPONSE_BODY|REQUEST_BODY "@rx x" "id:4,phase:4"`)
    const wanted = (off: (id: number) => boolean): boolean[] => {
      const { transaction } = send(
        detecting,
        {},
        detecting.mask(rule => off(rule.id)),
      )
      return [transaction.wantsRequestBody, transaction.wantsResponseBody]
    }
    assert.deepEqual(
      wanted(() => false),
      [true, true],
    )
    assert.deepEqual(
      wanted(id => id === 2),
      [false, true],
    )
    assert.deepEqual(
      wanted(id => id === 3),
      [true, false],
    )
  })
})

describe('rules as shown to users', () => {
  it('role, score, level, position and text', () => {
    const [rule, support] = program(`

SecRule ARGS "@rx x" \\
  "id:7,phase:2,msg:'M %{tx.0}',tag:a,tag:'paranoia-level/3',severity:'ERROR',chain"
  SecRule ARGS "@rx y"
SecAction "id:8,phase:3,severity:CRITICAL"`).rules
    assert.equal(rule?.index, 0)
    assert.equal(rule?.role, 'request')
    assert.equal(rule?.score, 4)
    assert.equal(rule?.paranoiaLevel, 3)
    assert.equal(rule?.severity, 'ERROR')
    assert.equal(rule?.message, 'M %{tx.0}')
    assert.deepEqual(rule?.tags, ['a', 'paranoia-level/3'])
    assert.equal(rule?.source, 'test.conf')
    assert.equal(rule?.line, 3)
    assert.match(rule?.text ?? '', /@rx x.*@rx y/s)
    assert.equal(support?.role, 'support')
    assert.equal(support?.score, 0)
  })

  it('a rule without the tag has the level of the score that it raises', () => {
    const [rule] = program(
      `SecAction "id:1,phase:2,severity:CRITICAL,setvar:'tx.anomaly_score_pl2=+%{tx.critical_anomaly_score}'"`,
    ).rules
    assert.deepEqual([rule?.role, rule?.paranoiaLevel], ['request', 2])
  })
})

describe('mistakes', () => {
  const rows = [
    { rules: 'SecRule ARGS "@rx (" "id:1"', code: 'invalid-operator' },
    { rules: 'SecRule ARGS "@fuzzyHash x 1" "id:1"', code: 'unsupported-operator' },
    { rules: 'SecRule ARGS:/(/ "@rx x" "id:1"', code: 'invalid-regex' },
    { rules: 'SecRule PERF_ALL "@rx x" "id:1"', code: 'unsupported-variable' },
    { rules: 'SecRule XML:/a/b "@rx x" "id:1"', code: 'unsupported-xpath' },
    { rules: 'SecAction "id:1,exec:/bin/true"', code: 'unsupported-action' },
    { rules: 'SecAction "id:1,ctl:hashEngine=On"', code: 'invalid-value' },
    { rules: 'SecAction "id:1,ctl:ruleRemoveById=x"', code: 'invalid-value' },
    { rules: 'SecAction "id:1,ctl:ruleRemoveTargetById=1"', code: 'invalid-value' },
    { rules: 'SecAction "id:1,ctl:ruleEngine=Maybe"', code: 'invalid-value' },
    { rules: 'SecAction "id:1,setvar:env.x=1"', code: 'invalid-value' },
    { rules: 'SecAction "id:1,status:99"', code: 'invalid-value' },
    { rules: 'SecAction "id:1,deny,status:99"', code: 'invalid-value' },
    { rules: 'SecAction "id:1,msg:\'%{NO_SUCH}\'"', code: 'unsupported-variable' },
    { rules: 'SecRequestBodyLimit many', code: 'invalid-number' },
    { rules: 'SecCookieFormat 1', code: 'unsupported-value' },
    { rules: 'SecRuleRemoveById x', code: 'invalid-id' },
    { rules: 'SecRule ARGS "@nonsense" "id:1"', code: 'unknown-operator' },
  ]
  for (const { rules, code } of rows) {
    it(`${code}: ${rules}`, () => {
      const outcome = compile([{ name: 'a.conf', text: `\n${rules}` }], { readData: () => undefined })
      assert.ok(!outcome.ok)
      assert.deepEqual(
        outcome.diagnostics.map(d => [d.code, d.source, d.line]),
        [[code, 'a.conf', 2]],
      )
    })
  }

  it('are all reported, in the order of the sources', () => {
    const bad = 'SecAction "id:1,status:99"\nSecRequestBodyLimit many'
    const outcome = compile(
      [
        { name: 'a.conf', text: bad },
        { name: 'b.conf', text: 'SecCookieFormat 1' },
      ],
      { readData: () => undefined },
    )
    assert.ok(!outcome.ok)
    assert.deepEqual(
      outcome.diagnostics.map(d => `${d.source}:${d.line}`),
      ['a.conf:1', 'a.conf:2', 'b.conf:1'],
    )
  })
})

describe('@pmFromFile', () => {
  it('requests the file by its name and the source of the rule', () => {
    const asked: string[] = []
    const readData = (name: string, from: string): string => {
      asked.push(`${name} ${from}`)
      return '# words\nevil\n'
    }
    const { matched } = run(
      'SecRule ARGS "@pmFromFile words.data" "id:1"',
      { target: '/?a=EVIL' },
      { readData },
    )
    assert.deepEqual(matched, ['1'])
    assert.deepEqual(asked, ['words.data test.conf'])
  })
})
