import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCall, deleteCall, enableCall, moveCall, rulePointer } from './calls.ts'
import { describeCharacteristics, readCharacteristic, writeCharacteristic } from './characteristics.ts'
import { copyOf, type ListPhase, moved, positionAt, type Rule } from './document.ts'
import { missingIn, newDraft, readDraft, writeDraft } from './draft.ts'
import { readExpiry, withoutEnd, writeExpiry } from './expiry.ts'
import { describeRule, durationText } from './words.ts'

const custom: ListPhase = 'http_request_firewall_custom'
const managed: ListPhase = 'http_request_firewall_managed'

function rule(parts: Partial<Rule>): Rule {
  const id = 'a'.repeat(32)
  return {
    id,
    ref: id,
    version: '3',
    last_updated: '',
    action: 'log',
    expression: 'ssl',
    enabled: true,
    ...parts,
  }
}

const kept: readonly { readonly name: string; readonly phase: ListPhase; readonly rule: Rule }[] = [
  { name: 'a plain rule', phase: custom, rule: rule({ description: 'a' }) },
  { name: 'a custom ref', phase: custom, rule: rule({ ref: 'mine' }) },
  {
    name: 'a block with a response',
    phase: custom,
    rule: rule({
      action: 'block',
      action_parameters: { response: { status_code: 418, content_type: 'text/plain', content: 'no' } },
    }),
  },
  {
    name: 'a skip of the rest and of phases',
    phase: custom,
    rule: rule({
      action: 'skip',
      action_parameters: { ruleset: 'current', phases: ['http_ratelimit'], products: ['waf'] },
      logging: { enabled: false },
    }),
  },
  {
    name: 'a skip of rulesets of the phase',
    phase: custom,
    rule: rule({
      action: 'skip',
      action_parameters: { rulesets: ['b'.repeat(32)] },
      logging: { enabled: true },
    }),
  },
  {
    name: 'an execute',
    phase: custom,
    rule: rule({ action: 'execute', action_parameters: { id: 'b'.repeat(32) } }),
  },
  {
    name: 'an exception of rules',
    phase: managed,
    rule: rule({
      action: 'skip',
      expression: '(http.host eq "a") and http.request.timestamp.sec lt 1900000000',
      action_parameters: { rules: { r: ['1', '2'] } },
      logging: { enabled: true },
    }),
  },
  {
    name: 'an exception of values and rules',
    phase: managed,
    rule: rule({
      action: 'skip',
      action_parameters: {
        rules: { r: ['1'] },
        targets: [{ tag: 'attack-sqli', collection: 'ARGS', key: 'q' }],
      },
      logging: { enabled: true },
    }),
  },
  {
    name: 'an exception of everything',
    phase: managed,
    rule: rule({ action: 'skip', action_parameters: { ruleset: 'current' }, logging: { enabled: true } }),
  },
  {
    name: 'a rate limit',
    phase: 'http_ratelimit',
    rule: rule({
      action: 'block',
      ratelimit: {
        characteristics: ['cf.colo.id', 'ip.src', 'http.request.headers["x-api-key"]', 'lower(http.host)'],
        period: 90,
        requests_per_period: 5,
        mitigation_timeout: 0,
        counting_expression: 'http.response.code eq 401',
        requests_to_origin: true,
      },
    }),
  },
  {
    name: 'a limit by score',
    phase: 'http_ratelimit',
    rule: rule({
      action: 'log',
      ratelimit: {
        characteristics: ['ip.src'],
        period: 60,
        score_per_period: 50,
        score_response_header_name: 'x-score',
        mitigation_timeout: 10,
      },
    }),
  },
]

for (const { name, phase, rule } of kept) {
  test(`the form keeps ${name} as it is`, () => {
    const { id: _id, version: _version, last_updated: _updated, ref, ...definition } = rule
    const own = ref === rule.id ? definition : { ...definition, ref }
    const draft = readDraft(rule)
    assert.deepEqual(writeDraft(draft, phase, rule), own)
    assert.equal(missingIn(draft, phase), undefined)
  })
}

test('changing the action drops the parameters of the previous one', () => {
  const before = kept[2]!.rule
  const { action_parameters: parameters } = writeDraft(
    { ...readDraft(before), action: 'log' },
    custom,
    before,
  )
  assert.equal(parameters, undefined)
  const skip = writeDraft({ ...readDraft(kept[3]!.rule), action: 'log' }, custom, kept[3]!.rule)
  assert.equal(skip.logging, undefined)
})

test('a new rule names its missing inputs', () => {
  const draft = newDraft(custom)
  assert.match(missingIn(draft, custom)!, /expression/)
  assert.equal(missingIn({ ...draft, expression: 'ssl' }, custom), undefined)
  assert.match(missingIn({ ...draft, expression: 'ssl', action: 'skip' }, custom)!, /at least one component/)
  const limit = { ...newDraft('http_ratelimit'), expression: 'ssl' }
  assert.equal(missingIn(limit, 'http_ratelimit'), undefined)
  const unnamed = {
    ...limit,
    limit: { ...limit.limit, characteristics: [{ kind: 'http.request.headers', text: '' }] },
  }
  assert.match(missingIn(unnamed, 'http_ratelimit')!, /name for each/)
  assert.match(missingIn({ ...newDraft(managed), expression: 'true' }, managed)!, /at least one rule/)
})

const expiries: readonly (readonly [text: string, expression: string, endsAt: number | undefined])[] = [
  ['ssl', 'ssl', undefined],
  ['(ssl) and http.request.timestamp.sec lt 1900000000', 'ssl', 1_900_000_000],
  ['((a) or (b)) and http.request.timestamp.sec lt 5', '(a) or (b)', 5],
  ['(http.host eq ")") and http.request.timestamp.sec lt 5', 'http.host eq ")"', 5],
  [
    '(a) or (b) and http.request.timestamp.sec lt 5',
    '(a) or (b) and http.request.timestamp.sec lt 5',
    undefined,
  ],
  ['ssl and http.request.timestamp.sec lt 5', 'ssl and http.request.timestamp.sec lt 5', undefined],
]

for (const [text, expression, endsAt] of expiries) {
  test(`the end of ${text}`, () => {
    assert.deepEqual(readExpiry(text), { expression, endsAt })
    assert.equal(writeExpiry({ expression, endsAt }), text)
  })
}

test('API messages about an expression with an end date refer to the visible part', () => {
  const said = (column: number) =>
    `could not parse: Filter parsing error (1:${column}):\n(htp) and …\n ^^^ unknown identifier`
  assert.match(withoutEnd(said(2)), /\(1:1\)/)
  assert.equal(withoutEnd('it is too long'), 'it is too long')
})

const characteristics: readonly (readonly [text: string, shown: string])[] = [
  ['ip.src', 'IP'],
  ['http.request.headers["x-api-key"]', 'Header value of x-api-key'],
  ['http.request.cookies["a.b"]', 'Cookie value of a.b'],
  ['http.request.headers["x"][0]', 'http.request.headers["x"][0]'],
  ['lower(http.host)', 'lower(http.host)'],
]

for (const [text, shown] of characteristics) {
  test(`the characteristic ${text}`, () => {
    assert.equal(writeCharacteristic(readCharacteristic(text)), text)
    assert.equal(describeCharacteristics([text]), shown)
  })
}

test('header names are written in lower case', () =>
  assert.equal(
    writeCharacteristic({ kind: 'http.request.headers', text: 'X-Key' }),
    'http.request.headers["x-key"]',
  ))

const moves: readonly { from: number; to: number; order: string; position: object }[] = [
  { from: 0, to: 2, order: 'bcad', position: { before: 'd' } },
  { from: 0, to: 3, order: 'bcda', position: { after: '' } },
  { from: 3, to: 0, order: 'dabc', position: { before: 'a' } },
  { from: 2, to: 1, order: 'acbd', position: { before: 'b' } },
]

for (const { from, to, order, position } of moves) {
  test(`the rule at ${from} goes to ${to}`, () => {
    const rules = [...'abcd'].map(id => ({ id }))
    assert.equal(moved([...'abcd'], from, to).join(''), order)
    assert.deepEqual(positionAt(rules, from, to), position)
  })
}

test('calls name the version they are based on', () => {
  const one = rule({ ref: 'mine' })
  const at = { zoneId: 'z', phase: custom, entry: { id: 'e', version: '7', rules: [one] } }
  const { id: _id, version: _version, last_updated: _updated, ...definition } = one
  assert.deepEqual(enableCall(at, one, false), {
    method: 'PATCH',
    path: `/zones/z/rulesets/e/rules/${one.id}`,
    body: { ...definition, enabled: false },
    ifMatch: '7',
  })
  assert.deepEqual(moveCall(at, one.id, { after: '' }).body, { position: { after: '' } })
  assert.deepEqual(deleteCall(at, one.id), {
    method: 'DELETE',
    path: `/zones/z/rulesets/e/rules/${one.id}`,
    ifMatch: '7',
  })
  const copy = copyOf(one)
  assert.deepEqual([copy.ref, copy.enabled, copy.description], [undefined, false, 'Copy of Rule aaaaaaaa'])
  const first = createCall({ ...at, entry: null }, copy)
  assert.deepEqual(
    [first.path, first.ifMatch, rulePointer(first)],
    ['/zones/z/rulesets', undefined, '/rules/0'],
  )
  assert.equal(rulePointer(createCall(at, copy, { after: one.id })), '')
})

test('rules in one line', () => {
  assert.equal(
    describeRule(kept[3]!.rule),
    'all remaining rules, all rate limiting rules, 1 older product, not logged',
  )
  assert.equal(describeRule(kept[7]!.rule), '1 rule, ARGS:q for attack-sqli')
  assert.match(
    describeRule(kept[9]!.rule),
    /^5 requests in 90 seconds by Data centre, IP, Header value of x-api-key/,
  )
  assert.deepEqual([60, 3600, 90, 172_800].map(durationText), ['1 minute', '1 hour', '90 seconds', '2 days'])
})
