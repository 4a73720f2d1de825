import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RequestTrace, TraceItem } from '../../../api/types.ts'
import { evaluationText, phaseText, verdictOf } from './trace-text.ts'

function rule(id: string, changes: Partial<TraceItem> = {}): TraceItem {
  return {
    type: 'rule',
    step_name: id,
    description: `Rule ${id}`,
    matched: false,
    evaluation: 'not_matched',
    ...changes,
  }
}

function phase(rules: readonly TraceItem[], changes: Partial<TraceItem> = {}): TraceItem {
  const ruleset: TraceItem = {
    type: 'ruleset',
    step_name: 'r',
    kind: 'zone',
    matched: true,
    trace: [...rules],
  }
  return {
    type: 'phase',
    step_name: 'http_request_firewall_custom',
    matched: true,
    reached: true,
    trace: [ruleset],
    ...changes,
  }
}

function trace(changes: Partial<RequestTrace>): RequestTrace {
  return {
    trace: [],
    zone: { id: 'z', name: 'shop.test' },
    ray_id: '0',
    outcome: { kind: 'forward', uri: '/a', host: 'shop.test' },
    records: { http_requests: {}, firewall_events: [], not_known: [] },
    ...changes,
  }
}

const managed = (score: number): TraceItem => ({
  type: 'ruleset',
  step_name: 'owasp',
  kind: 'managed',
  name: 'OWASP',
  matched: true,
  score,
  score_threshold: 25,
  trace: [rule('last', { matched: true })],
})

test('outcomes of requests in words', () => {
  const by = (id: string, action: string) => ({ kind: 'answer', action, rule_id: id }) as const
  const rows: readonly (readonly [Partial<RequestTrace>, title: string, text: RegExp])[] = [
    [{}, 'Reaches the origin', /would receive \/a for shop.test. No rule stops it\.$/],
    [
      { trace: [phase([rule('a', { did: 'log' }), rule('b', { did: 'log' })])] },
      'Reaches the origin',
      /2 log it/,
    ],
    [
      { status_code: 403, outcome: by('a', 'block'), trace: [phase([rule('a')])] },
      'Blocked with status 403',
      /By the rule “Rule a” \(custom rules\)/,
    ],
    [
      {
        status_code: 403,
        outcome: by('last', 'block'),
        trace: [phase([rule('a', { trace: [managed(30)] })])],
      },
      'Blocked with status 403',
      /score 30 reaches the threshold 25 of OWASP/,
    ],
    [
      {
        status_code: 400,
        outcome: by('last', 'block'),
        trace: [phase([rule('a', { trace: [managed(5)] })])],
      },
      'Blocked with status 400',
      /A single rule of .* the score is 5 of 25/,
    ],
    [
      { status_code: 403, outcome: by('a', 'managedChallenge'), trace: [phase([rule('a')])] },
      'Managed Challenge with status 403',
      /Rule a/,
    ],
    [
      { status_code: 302, outcome: { kind: 'answer', location: '/b' } },
      'Redirected with status 302',
      /^To \/b\.$/,
    ],
    [
      { outcome: { kind: 'drop', action: 'connectionClose', rule_id: 'a' } },
      'Connection closed without a response',
      /shop/,
    ],
    [
      { status_code: 400, outcome: { kind: 'answer', reason: 'no Host' } },
      'Refused with status 400',
      /no Host/,
    ],
    [{ status_code: 204, outcome: { kind: 'answer' } }, 'Edge response with status 204', /shop.test/],
  ]
  for (const [changes, title, text] of rows) {
    const verdict = verdictOf(trace(changes))
    assert.equal(verdict.title, title)
    assert.match(verdict.text, text)
  }
})

test('phases and rules in words', () => {
  assert.equal(phaseText(phase([], { reached: false })).text, 'Not reached')
  assert.equal(phaseText(phase([rule('a')])).text, 'No match')
  assert.equal(
    phaseText(phase([rule('a', { evaluation: 'matched', did: 'log' }), rule('b')])).text,
    '1 of 2 matched',
  )
  assert.equal(phaseText(phase([rule('a', { evaluation: 'matched', did: 'block' })])).text, 'Block')
  const texts = (['matched', 'not_matched', 'skipped', 'failed', 'not_reached'] as const).map(
    evaluation => evaluationText(rule('a', { evaluation })).text,
  )
  assert.deepEqual(texts, ['Matched', 'No match', 'Skipped', 'Too costly', 'Not reached'])
  assert.equal(
    evaluationText(rule('a', { evaluation: 'matched', skipped_by: 'b' })).text,
    'Matched, but skipped',
  )
})
