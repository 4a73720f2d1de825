import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SecurityEvent } from '../../../api/types.ts'
import { owaspRulesetId } from '../../../domain/ruleset/owasp/document.ts'
import { writeDraft } from '../../../domain/ruleset/rules/draft.ts'
import { canExcept, draftOf, namedValue, remainingScore, smallestChoice } from './exception.ts'

type Rules = NonNullable<SecurityEvent['metadata']['rules']>

const matches = (...rules: readonly (readonly [id: string, score: number, target: string])[]): Rules => {
  let total = 0
  return rules.map(([id, score, target]) => {
    total += score
    return { id, ref: id, score, total, target }
  })
}

const rules = matches(['a', 3, 'ARGS:q'], ['b', 5, 'REQUEST_URI_RAW'], ['c', 5, 'ARGS:q'], ['d', 5, '&ARGS'])

const eventWith = (metadata: SecurityEvent['metadata'], part: Partial<SecurityEvent> = {}) =>
  ({
    host: 'Shop.example:8080',
    path: '/a "b" \\c',
    method: 'POST',
    metadata: { ruleset_id: owaspRulesetId, ...metadata },
    ...part,
  }) as SecurityEvent

const event = eventWith({ score: 18, threshold: 10, rules: [...rules] })

const exceptionFrom = (choice: Partial<ReturnType<typeof smallestChoice>>) =>
  writeDraft(
    draftOf(event, { ...smallestChoice(event), ...choice }),
    'http_request_firewall_managed',
    undefined,
  )

test('the narrowest exception matches one kind of request and skips the fewest sufficient rules', () => {
  const { expression, action, action_parameters } = exceptionFrom({})
  assert.equal(action, 'skip')
  assert.equal(
    expression,
    'http.host eq "shop.example" and raw.http.request.uri.path eq "/a \\"b\\" \\\\c" and http.request.method eq "POST"',
  )
  assert.deepEqual(action_parameters, {
    // A match in the URI would repeat in its arguments.
    rules: { [owaspRulesetId]: ['b'] },
    targets: [{ rule: 'c', collection: 'ARGS', key: 'q' }],
  })
  assert.equal(remainingScore(event, smallestChoice(event)), 8)
})

test('the threshold decides the number of skipped rules', () => {
  const rows: readonly [score: number, threshold: number, want: readonly string[]][] = [
    [18, 18, ['b']],
    [18, 14, ['b']],
    [18, 13, ['b', 'c']],
    [18, 3, ['a', 'b', 'c', 'd']],
    [18, 4, ['b', 'c', 'd']],
    // The event omits some matches.
    [40, 10, ['a', 'b', 'c', 'd']],
    // A rule stopped it directly.
    [18, 19, ['a', 'b', 'c', 'd']],
  ]
  for (const [score, threshold, want] of rows)
    assert.deepEqual(
      smallestChoice(eventWith({ score, threshold, rules: [...rules] })).rules,
      want,
      `${score} of ${threshold}`,
    )
})

test('rules that only keep state are skipped only when there are no others', () => {
  const counting = matches(['a', 0, 'TX:score'], ['b', 5, 'ARGS:q'])
  assert.deepEqual(smallestChoice(eventWith({ score: 5, threshold: 5, rules: [...counting] })).rules, ['b'])
  const stopping = matches(['a', 0, 'REQUEST_BODY'])
  assert.deepEqual(smallestChoice(eventWith({ score: 0, threshold: 5, rules: [...stopping] })).rules, ['a'])
})

test('each removed condition widens the exception', () => {
  assert.equal(exceptionFrom({ path: false, method: false }).expression, 'http.host eq "shop.example"')
  assert.equal(exceptionFrom({ host: false, path: false, method: false }).expression, 'true')
  assert.deepEqual(exceptionFrom({ onlyValue: false }).action_parameters, {
    rules: { [owaspRulesetId]: ['b', 'c'] },
  })
  // A target that cannot be named skips the whole rule.
  assert.deepEqual(exceptionFrom({ rules: ['a', 'd'] }).action_parameters, {
    rules: { [owaspRulesetId]: ['d'] },
    targets: [{ rule: 'a', collection: 'ARGS', key: 'q' }],
  })
})

test('an end date is the last condition', () => {
  const { expression } = exceptionFrom({ path: false, method: false, endsAt: 1_800_000_000 })
  assert.equal(expression, '(http.host eq "shop.example") and http.request.timestamp.sec lt 1800000000')
})

test('targets become values when exceptions can name them', () => {
  const rows: readonly [target: string, want: ReturnType<typeof namedValue>][] = [
    ['ARGS:q', { collection: 'ARGS', key: 'q' }],
    ['ARGS:a:b', { collection: 'ARGS', key: 'a:b' }],
    ['ARGS', { collection: 'ARGS' }],
    ['ARGS:', { collection: 'ARGS' }],
    ['REQUEST_HEADERS:User-Agent', { collection: 'REQUEST_HEADERS', key: 'User-Agent' }],
    ['REQUEST_FILENAME', { collection: 'REQUEST_FILENAME' }],
    ['REQUEST_BODY', undefined],
    ['REQUEST_URI', undefined],
    ['QUERY_STRING', undefined],
    ['&ARGS', undefined],
    ['TX:score', undefined],
    ['', undefined],
  ]
  for (const [target, want] of rows) assert.deepEqual(namedValue(target), want, target)
})

test('only events with managed rules can be excepted', () => {
  assert.equal(canExcept(event), true)
  assert.equal(canExcept(eventWith({ score: 5, threshold: 5 })), false)
  assert.equal(canExcept(eventWith({ ruleset_id: 'another', rules: [...rules] })), false)
})
