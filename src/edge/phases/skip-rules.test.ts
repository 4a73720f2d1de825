import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PlanEffect, PlanPhase, PlanRule, SkipEffect, SkippedRules } from '../../rulesets/plan/plan.ts'
import { execution, fakeProgram } from '../testing/fake-program.ts'
import {
  eventually,
  planFor,
  planPhase,
  RawClient,
  rule,
  startEdge,
  startOrigin,
} from '../testing/fixture.ts'

const custom = 'http_request_firewall_custom'
const limits = 'http_ratelimit'
const managed = 'http_request_firewall_managed'

const always = () => true
const log = (id: string) => rule({ kind: 'action', action: 'log' }, always, id)
const block = (id: string) => rule({ kind: 'action', action: 'block' }, always, id)

function skip(parts: Partial<SkipEffect>, id = 'skip'): PlanRule {
  const nothing = { phases: new Set(), rulesets: new Set<string>(), products: new Set<string>() } as const
  return rule(
    { kind: 'skip', current: undefined, excepts: false, logs: true, ...nothing, ...parts } as SkipEffect,
    always,
    id,
  )
}

function runs(id: string, rules: readonly PlanRule[]): PlanRule {
  const effect: PlanEffect = {
    kind: 'execute-custom',
    ruleset: { id: `${id}-ruleset`, version: '1', kind: 'custom', rules },
  }
  return rule(effect, always, id)
}

const rows: readonly {
  name: string
  request: readonly PlanPhase[]
  want: readonly string[]
  status?: number
}[] = [
  {
    name: 'account before zone, phases in order',
    request: [
      planPhase(custom, { account: [log('account-custom')], zone: [log('zone-custom')] }),
      planPhase(managed, { account: [log('account-managed')], zone: [log('zone-managed')] }),
    ],
    want: ['account-custom', 'zone-custom', 'account-managed', 'zone-managed'],
  },
  {
    name: 'a block by the account ends the request',
    request: [
      planPhase(custom, { account: [log('first'), block('ends'), log('after')], zone: [log('zone')] }),
      planPhase(managed, { zone: [log('later')] }),
    ],
    want: ['first', 'ends'],
    status: 403,
  },
  {
    name: 'a custom ruleset returns to the rule after it',
    request: [planPhase(custom, { zone: [runs('runs', [log('inside-1'), log('inside-2')]), log('after')] })],
    want: ['inside-1', 'inside-2', 'after'],
  },
  {
    name: 'a custom ruleset can end the request',
    request: [planPhase(custom, { account: [runs('runs', [block('inside')])], zone: [log('zone')] })],
    want: ['inside'],
    status: 403,
  },
  {
    name: 'only the rest of the ruleset is skipped, not other levels or phases',
    request: [
      planPhase(custom, { account: [skip({ current: 'ruleset' }), block('not')], zone: [log('zone')] }),
      planPhase(managed, { account: [log('later')] }),
    ],
    want: ['skip', 'zone', 'later'],
  },
  {
    name: 'inside a custom ruleset, its rest is skipped',
    request: [
      planPhase(custom, { zone: [runs('runs', [skip({ current: 'ruleset' }), block('not')]), log('after')] }),
    ],
    want: ['skip', 'after'],
  },
  {
    name: 'inside a custom ruleset, the rest of the phase is skipped',
    request: [
      planPhase(custom, { zone: [runs('runs', [skip({ current: 'phase' }), block('not')]), block('nor')] }),
      planPhase(managed, { zone: [log('later')] }),
    ],
    want: ['skip', 'later'],
  },
  {
    name: 'the rest of a phase is skipped only at its level',
    request: [
      planPhase(custom, { account: [skip({ current: 'phase' }), block('not')], zone: [log('zone')] }),
    ],
    want: ['skip', 'zone'],
  },
  {
    name: 'later phases are skipped at the level of the rule',
    request: [
      planPhase(custom, { zone: [skip({ phases: new Set([managed]) }), log('same')] }),
      planPhase(limits, { zone: [log('other')] }),
      planPhase(managed, { account: [log('account')], zone: [block('not')] }),
    ],
    want: ['skip', 'same', 'other', 'account'],
  },
  {
    name: 'an account skips its own phases, not those of the zone',
    request: [
      planPhase(custom, { account: [skip({ phases: new Set([managed, limits]) })] }),
      planPhase(limits, { account: [block('not')] }),
      planPhase(managed, { account: [block('nor')], zone: [log('zone')] }),
    ],
    want: ['skip', 'zone'],
  },
  {
    name: 'a skipped custom ruleset is not run',
    request: [
      planPhase(custom, {
        zone: [skip({ rulesets: new Set(['a-ruleset']) }), runs('a', [block('not')]), runs('b', [log('b')])],
      }),
    ],
    want: ['skip', 'b'],
  },
  {
    name: 'a skip affects only later rules',
    request: [
      planPhase(custom, {
        zone: [
          runs('a', [log('before')]),
          skip({ rulesets: new Set(['a-ruleset']) }),
          runs('a', [log('not')]),
        ],
      }),
    ],
    want: ['before', 'skip'],
  },
  {
    name: 'a skip without logging leaves no entry',
    request: [planPhase(custom, { zone: [skip({ current: 'ruleset', logs: false }), block('not')] })],
    want: [],
  },
  {
    name: 'a skip rule that does not match has no effect',
    request: [
      planPhase(custom, { zone: [{ ...skip({ current: 'ruleset' }), matches: () => false }, log('after')] }),
    ],
    want: ['after'],
  },
]
for (const { name, request, want, status = 200 } of rows) {
  test(name, async t => {
    const origin = await startOrigin(t, (_request, response) => response.end())
    const { url, records, audit } = await startEdge(t, planFor(origin.url, { request }))
    assert.equal((await fetch(url)).status, status)
    await eventually(() => records.length === 1 && audit.length === 1)
    assert.deepEqual(records[0]!['SecurityRuleIDs'], want)
    const matched = audit[0]!['matched'] as { rule_id: string }[]
    assert.deepEqual(
      matched.map(match => match.rule_id),
      want,
    )
  })
}

test('entries name the product that acted', async t => {
  const request = [
    planPhase(custom, { zone: [skip({}, 'skips')] }),
    planPhase(limits, { zone: [log('limits')] }),
    planPhase(managed, { zone: [skip({}, 'excepts'), log('manages')] }),
  ]
  const origin = await startOrigin(t, (_request, response) => response.end())
  const { url, records } = await startEdge(t, planFor(origin.url, { request }))
  await fetch(url)
  await eventually(() => records.length === 1)
  assert.deepEqual(records[0]!['SecurityActions'], ['skip', 'log', 'skip', 'log'])
  assert.deepEqual(records[0]!['SecuritySources'], [
    'firewallCustom',
    'rateLimit',
    'firewallManaged',
    'firewallManaged',
  ])
  assert.deepEqual([records[0]!['SecurityAction'], records[0]!['WAFFlags']], ['', ''])
})

/** A managed ruleset that blocks `/attack`, and the exceptions of the skip rules `some` and `last`. */
function managedRuleset() {
  const program = fakeProgram()
  const exceptions: [string, SkippedRules][] = [
    ['some', { exception: { program }, lastRule: false }],
    ['last', { exception: { program }, lastRule: true }],
  ]
  return { program, runs: rule(execution(program, { exceptions: new Map(exceptions) }), always, 'executes') }
}

const exceptionRows: readonly {
  name: string
  phases: (runs: PlanRule) => readonly PlanPhase[]
  status: number
  exceptions?: number
}[] = [
  {
    name: 'of its ruleset, which does not run',
    phases: runs => [planPhase(managed, { zone: [skip({ rulesets: new Set(['managed-1']) }), runs] })],
    status: 200,
  },
  {
    name: 'of another ruleset',
    phases: runs => [planPhase(managed, { zone: [skip({ rulesets: new Set(['managed-2']) }), runs] })],
    status: 403,
    exceptions: 0,
  },
  {
    name: 'of rules',
    phases: runs => [planPhase(managed, { zone: [skip({ excepts: true }, 'some'), runs] })],
    status: 403,
    exceptions: 1,
  },
  {
    name: 'of the last rule, so that no action is taken',
    phases: runs => [planPhase(managed, { zone: [skip({ excepts: true }, 'last'), runs] })],
    status: 200,
    exceptions: 1,
  },
  {
    name: 'of several',
    phases: runs => [
      planPhase(managed, { zone: [skip({ excepts: true }, 'last'), skip({ excepts: true }, 'some'), runs] }),
    ],
    status: 200,
    exceptions: 2,
  },
  {
    name: 'of an earlier phase',
    phases: runs => [
      planPhase(custom, { zone: [skip({ excepts: true }, 'last')] }),
      planPhase(managed, { zone: [runs] }),
    ],
    status: 200,
    exceptions: 1,
  },
  {
    name: 'after the ruleset',
    phases: runs => [planPhase(managed, { zone: [runs, skip({ excepts: true }, 'last')] })],
    status: 403,
    exceptions: 0,
  },
  {
    name: 'of the account, which does not affect the zone',
    phases: runs => [planPhase(managed, { account: [skip({ excepts: true }, 'last')], zone: [runs] })],
    status: 403,
    exceptions: 0,
  },
  {
    name: 'of the account, which affects the account',
    phases: runs => [planPhase(managed, { account: [skip({ excepts: true }, 'last'), runs] })],
    status: 200,
    exceptions: 1,
  },
  {
    name: 'of the zone, which does not affect the account',
    phases: runs => [
      planPhase(custom, { zone: [skip({ excepts: true, rulesets: new Set(['managed-1']) }, 'last')] }),
      planPhase(managed, { account: [runs] }),
    ],
    status: 403,
    exceptions: 0,
  },
  {
    name: 'in a custom ruleset',
    phases: runs_ => [planPhase(managed, { zone: [runs('c', [skip({ excepts: true }, 'last')]), runs_] })],
    status: 200,
    exceptions: 1,
  },
]
for (const { name, phases, status, exceptions } of exceptionRows) {
  test(`exceptions from a managed ruleset: ${name}`, async t => {
    const origin = await startOrigin(t, (_request, response) => response.end())
    const { program, runs: executes } = managedRuleset()
    const { url, audit } = await startEdge(t, planFor(origin.url, { request: phases(executes) }))
    assert.equal((await fetch(`${url}/attack`)).status, status)
    assert.deepEqual(
      program.exceptions.map(given => given.length),
      exceptions === undefined ? [] : [exceptions],
    )
    await eventually(() => audit.length === 1)
  })
}

test('a malformed request runs through all phases for its record, without actions', async t => {
  const { program, runs: executes } = managedRuleset()
  const redirect: PlanEffect = {
    kind: 'redirect',
    status: 301,
    target: () => '/elsewhere',
    preserveQuery: false,
  }
  const request = [
    planPhase('http_request_transform', {
      zone: [rule({ kind: 'rewrite-uri', path: () => '/attack', query: undefined })],
    }),
    planPhase(custom, { zone: [skip({ current: 'ruleset' })] }),
    planPhase(managed, { zone: [executes] }),
    planPhase('http_request_late_transform', { zone: [rule(redirect)] }),
  ]
  const { port, records } = await startEdge(t, planFor('http://127.0.0.1:1', { request }))
  const client = new RawClient(port).send('GET /x HTTP/1.1\r\nHost: site.test\r\nHost: site.test\r\n\r\n')
  assert.match(await client.end(), /^HTTP\/1\.1 400 /)
  await eventually(() => records.length === 1)
  assert.equal(program.requests[0]!.target, '/attack')
  assert.deepEqual(records[0]!['SecurityActions'], [])
})
