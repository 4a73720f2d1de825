import assert from 'node:assert/strict'
import { type TestApi, token } from '../../src/api/testing/test-api.ts'
import { type Expected, filled, hold, holdEnvelope } from '../expected.ts'
import type { Case, Request } from './case.ts'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: cases inspect responses of every shape
  readonly body: any
}

/** Sends a case's requests and checks the response, including the common properties of every response. */
export async function runCase(api: TestApi, row: Case): Promise<void> {
  await clear(api)
  const names = new Map([
    ['account', api.accountId],
    ['zone', api.zoneId],
  ])
  for (const request of row.given ?? []) {
    const { status, body } = await send(api, request, names)
    assert.ok(status < 300, `${request[0]} ${request[1]}: ${JSON.stringify(body)}`)
  }
  const before = await stored(api)
  // The expectation is resolved before the response: ids must be those known then.
  const known = new Map(names)
  const answer = await send(api, row.request, names)
  const text = JSON.stringify(answer.body)
  assert.equal(answer.status, row.status ?? 200, text)
  const fill = (expected: Expected) => filled(expected, known)
  if (row.error !== undefined) {
    const [code, message, pointer] = row.error
    const [first] = answer.body.errors
    assert.equal(first.code, code, text)
    hold(first.message, fill(message), 'message')
    if (pointer !== undefined) assert.equal(first.source?.pointer, fill(pointer), text)
  }
  if ('result' in row) hold(answer.body.result, fill(row.result), 'result')
  if (row.body !== undefined) hold(answer.body, fill(row.body), 'body')
  hold(answer.headers, row.headers ?? {}, 'headers')
  if (answer.status >= 300 || row.request[1].includes('dry_run=true'))
    assert.deepEqual(await stored(api), before, 'a refusal or a dry run changed something')
}

async function send(api: TestApi, request: Request, names: Map<string, string>): Promise<Answer> {
  const [method, path, payload, headers = {}] = filled(request, names) as Request
  const sent = Object.entries({ authorization: `Bearer ${token}`, ...headers })
  const answer = await api.app.inject({
    method,
    url: path.startsWith('//') ? path.slice(1) : `/client/v4${path}`,
    headers: Object.fromEntries(sent.filter(([, value]) => value !== undefined)) as Record<string, string>,
    ...(payload === undefined ? {} : { payload: payload as object | string }),
  })
  const body = answer.body === '' ? undefined : answer.json()
  const got: Answer = { status: answer.statusCode, headers: answer.headers, body }
  checkEnvelope(got)
  learn(body?.result, names)
  return got
}

/** Section 1.1, for every response. */
function checkEnvelope({ status, headers, body }: Answer): void {
  if (status === 204) assert.equal(body, undefined)
  else holdEnvelope(status, headers, body)
}

/** Stores the ids of a response under their names, and checks the form of rulesets (sections 3.1 and 3.2). */
function learn(result: unknown, names: Map<string, string>): void {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return
  const object = result as Record<string, unknown>
  if (Array.isArray(object['rules'])) {
    checkRuleset(object)
    names.set('ruleset', String(object['id']))
    for (const [index, rule] of (object['rules'] as LearntRule[]).entries()) {
      names.set(`rule${index + 1}`, rule.id)
      names.set(rule.ref, rule.id)
      if (rule.action === 'execute') names.set('executed', rule.action_parameters.id)
    }
  } else if (Array.isArray(object['policies'])) {
    names.set('token', String(object['id']))
    if (object['value'] !== undefined) names.set('value', String(object['value']))
  } else if ('num_items' in object) names.set('list', String(object['id']))
}

interface LearntRule {
  readonly id: string
  readonly ref: string
  readonly action: string
  readonly action_parameters: { readonly id: string }
}

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const id = /^[0-9a-f]{32}$/

function checkRuleset(ruleset: Record<string, unknown>): void {
  hold(
    ruleset,
    { id, last_updated: timestamp, version: /^[1-9]\d*$/, name: /./, description: /^/ },
    'ruleset',
  )
  for (const rule of ruleset['rules'] as Record<string, unknown>[]) {
    const members = { id, ref: /./, version: /^[1-9]\d*$/, last_updated: timestamp, action: /^[a-z_]+$/ }
    hold(rule, { ...members, position: undefined }, 'rule')
    assert.equal(typeof rule['enabled'], 'boolean')
    assert.equal('expression' in rule, ruleset['kind'] !== 'managed')
  }
}

const scopesOf = ({ accountId, zoneId }: TestApi) =>
  [
    { kind: 'zone', id: zoneId },
    { kind: 'account', id: accountId },
  ] as const

async function stored(api: TestApi): Promise<unknown> {
  return await Promise.all(scopesOf(api).map(scope => api.store.rulesets.all(scope)))
}

async function clear(api: TestApi): Promise<void> {
  for (const scope of scopesOf(api)) {
    for (const { id } of await api.store.rulesets.list(scope)) await api.store.rulesets.delete(scope, id)
  }
  for (const { id } of await api.store.lists.list(api.accountId))
    await api.store.lists.delete(api.accountId, id)
}
