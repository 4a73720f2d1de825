import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, Phase, Rule } from '../../model/resource.ts'
import { compile, type Exception, type Program, toEnd } from '../../waf/index.ts'
import { buildManagedRulesets, ruleIdsOf } from '../managed/owasp.ts'
import { skipShape } from '../schemas/skip.ts'
import type { ManagedProgram } from './plan.ts'
import { exceptionsOf } from './skips.ts'

const phase: Phase = 'http_request_firewall_managed'

/** A program whose rules run: numbers, what they look at and their tags. */
const rules = [
  `SecRule ARGS "@contains evil" "id:942100,phase:2,severity:2,tag:'attack-sqli',tag:'paranoia-level/1'"`,
  `SecRule ARGS|REQUEST_HEADERS "@contains evil" "id:941100,phase:2,severity:2,tag:'attack-xss',tag:'paranoia-level/2'"`,
  `SecRule RESPONSE_BODY "@contains evil" "id:951100,phase:4,severity:2,tag:'attack-disclosure',tag:'paranoia-level/1'"`,
]
const json = `SecRule REQUEST_HEADERS:Content-Type "@contains json" "id:1,phase:1,nolog,pass,ctl:requestBodyProcessor=JSON"`

function programOf(): Program {
  const text = ['SecRequestBodyAccess On', json, ...rules].join('\n')
  const outcome = compile([{ name: 'test.conf', text }], { readData: () => undefined })
  assert.ok(outcome.ok)
  return outcome.value
}

const program = programOf()
const [request, response] = buildManagedRulesets(program, {
  crsVersion: '4.28.0',
  version: 1,
  importedOn: '',
})
const managed: ManagedProgram = { ruleset: request!, program }
const idOf = (number: number): string =>
  ruleIdsOf(program)[program.rules.find(rule => rule.id === number)!.index]!

let count = 0
function skip(actionParameters: JsonObject): { readonly rule: Rule; readonly phase: Phase } {
  const id = `skip ${++count}`
  return {
    rule: { id, version: 1, action: 'skip', actionParameters, enabled: true, ref: id, lastUpdated: '' },
    phase,
  }
}

function skippedBy(actionParameters: JsonObject, of = managed) {
  const rule = skip(actionParameters)
  return exceptionsOf(of, [rule]).get(rule.rule.id)
}

/** Numbers of the rules that match. */
function matched(exception: Exception | undefined, target: string, body = ''): readonly number[] {
  const headers = body === '' ? [] : ([['Content-Type', 'application/json']] as const)
  const transaction = program.begin(
    {
      clientIp: '192.0.2.1',
      clientPort: 1,
      serverPort: 80,
      method: 'POST',
      target,
      protocol: 'HTTP/1.1',
      headers,
      uniqueId: 'u',
      startedMs: 0,
    },
    program.mask(() => false),
    exception === undefined ? [] : [exception],
  )
  toEnd(transaction.requestHeaders())
  transaction.addRequestBody(Buffer.from(body))
  toEnd(transaction.requestBody(true))
  return transaction.matches.map(match => match.rule.id)
}

test('rules that are skipped are off, and the last rule ends everything', () => {
  const { id } = managed.ruleset
  const one = skippedBy({ rules: { [id]: [idOf(942100)] } })!
  assert.deepEqual([matched(one.exception, '/?q=evil'), one.lastRule], [[941100], false])
  const verdict = managed.ruleset.rules.at(-1)!.id
  const last = skippedBy({ rules: { [id]: [verdict, idOf(941100)] } })!
  assert.deepEqual([matched(last.exception, '/?q=evil'), last.lastRule], [[942100], true])
  assert.equal(skippedBy({ rules: { [response!.id]: [idOf(951100)] } }), undefined)
  const gone = skippedBy({ rules: { [id]: ['0'.repeat(32)] } })!
  assert.deepEqual(matched(gone.exception, '/?q=evil'), [942100, 941100])
})

test('targets: of a rule or a tag, of the ruleset or of all in the phase', () => {
  const both = [942100, 941100]
  const rows: readonly (readonly [target: JsonObject, want: readonly number[]])[] = [
    [{ rule: idOf(942100), collection: 'ARGS' }, [941100]],
    [{ tag: 'attack-xss', collection: 'ARGS' }, [942100]],
    [{ tag: 'paranoia-level-2', collection: 'ARGS' }, [942100]],
    [{ tag: 'attack-sqli', collection: 'ARGS', ruleset: managed.ruleset.id }, [941100]],
    [{ tag: 'attack-sqli', collection: 'ARGS_GET' }, both],
    [{ tag: 'attack-sqli', collection: 'ARGS', key: 'Q' }, [941100]],
    [{ tag: 'attack-sqli', collection: 'ARGS', key: 'other' }, both],
    [{ tag: 'attack-sqli', collection: 'ARGS', key_pattern: '^[p-q]$' }, [941100]],
    [{ tag: 'unknown', collection: 'ARGS' }, both],
  ]
  for (const [target, want] of rows)
    assert.deepEqual(
      matched(skippedBy({ targets: [target] })!.exception, '/?q=evil'),
      want,
      JSON.stringify(target),
    )
  assert.equal(
    skippedBy({ targets: [{ tag: 'attack-sqli', collection: 'ARGS', ruleset: response!.id }] }),
    undefined,
  )
  assert.equal(
    skippedBy({ targets: [{ tag: 'attack-sqli', collection: 'ARGS' }] }, { ruleset: response!, program }),
    undefined,
  )
})

test('paths in JSON bodies', () => {
  const body = '{"user":{"note":"evil"},"items":[{"id":1},{"id":"evil"}]}'
  const at = (...paths: string[]): readonly number[] => {
    const targets = paths.map(json_path => ({ tag: 'attack-sqli', collection: 'ARGS', json_path }))
    return matched(skippedBy({ targets })!.exception, '/', body)
  }
  assert.deepEqual(at('$.user.note'), [942100, 941100])
  assert.deepEqual(at('$.user.note', '$.items[*].id'), [941100])
  assert.deepEqual(at('user.note', 'items[1].id'), [941100])
  assert.deepEqual(at('$.user', '$.items'), [942100, 941100])
})

test('equal exceptions of two zones are shared', () => {
  const parameters = (): JsonObject => ({ targets: [{ collection: 'ARGS', tag: 'attack-sqli' }] })
  const other: JsonObject = { targets: [{ tag: 'attack-sqli', collection: 'ARGS' }] }
  assert.equal(skippedBy(parameters())!.exception, skippedBy(other)!.exception)
  assert.notEqual(
    skippedBy(parameters())!.exception,
    skippedBy({ targets: [{ tag: 'attack-xss', collection: 'ARGS' }] })!.exception,
  )
})

test('the engine knows every collection that documents may name', () => {
  const { collection: known } = skipShape.schema.properties.targets.items.properties
  for (const collection of known.enum)
    assert.ok(skippedBy({ targets: [{ tag: 'attack-sqli', collection }] }), collection)
})
