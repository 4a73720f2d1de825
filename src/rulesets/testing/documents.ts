/** Helpers of this module’s tests: a small release and a context whose ids count up. */
import assert from 'node:assert/strict'
import type { Checked, Problem } from '../../model/problem.ts'
import type { Ruleset } from '../../model/resource.ts'
import type { Program, ProgramRule } from '../../waf/types.ts'
import type { WriteContext } from '../documents/write-context.ts'
import { buildManagedRulesets } from '../managed/owasp.ts'
import { urlNormalizationRuleset } from '../managed/url-normalization.ts'
import type { ManagedProgram } from '../plan/plan.ts'

const detection = (
  id: number,
  role: ProgramRule['role'],
  paranoiaLevel: number,
  score: number,
  tags: readonly string[],
): Omit<ProgramRule, 'index'> => ({
  id,
  role,
  paranoiaLevel,
  score,
  tags,
  phase: role === 'response' ? 4 : 2,
  message: `Message of ${id}`,
  source: 'rules/test.conf',
  line: 1,
  text: '',
})

const programRules: readonly ProgramRule[] = [
  detection(901100, 'support', 0, 0, []),
  detection(920100, 'request', 1, 3, [
    'attack-protocol',
    'OWASP_CRS',
    'capec/1000/210/272',
    'paranoia-level/1',
  ]),
  detection(942100, 'request', 1, 5, ['attack-sqli', 'language-multi', 'platform-multi', 'paranoia-level/1']),
  detection(942260, 'request', 2, 5, ['attack-sqli', 'OWASP_CRS/ATTACK-SQLI', 'paranoia-level/2']),
  detection(941300, 'request', 3, 2, ['application-multi', 'attack-xss', 'PCI/6.5.10', 'paranoia-level/3']),
  detection(944400, 'request', 0, 4, ['language-java', 'attack-injection/java']),
  detection(951100, 'response', 1, 5, ['attack-disclosure', 'paranoia-level/1']),
  detection(949110, 'support', 0, 0, ['anomaly-evaluation']),
].map((rule, index) => ({ ...rule, index }))

/** A program that only knows its rules and masks. */
export const program: Program = {
  rules: programRules,
  mask: off => ({ enabled: Uint8Array.from(programRules, rule => (off(rule) ? 0 : 1)) }),
  exception: () => ({ program }),
  begin: () => assert.fail('plans are not run here'),
  rehearse: () => assert.fail('plans are not run here'),
  observe: () => assert.fail('plans are not run here'),
  inspect: () => assert.fail('plans are not run here'),
}

export const [requestRuleset, responseRuleset] = buildManagedRulesets(program, {
  crsVersion: '4.28.0',
  version: 3,
  importedOn: '2026-05-01T00:00:00.000000Z',
}) as [ManagedProgram['ruleset'], ManagedProgram['ruleset']]

/** The id in the API of a rule by its CRS number. */
export function ruleId(number: number): string {
  const rules = [...requestRuleset.rules, ...responseRuleset.rules]
  return rules.find(rule => rule.description?.startsWith(`${number}: `))!.id
}

export function managedById(id: string, version = 'latest'): ManagedProgram['ruleset'] | undefined {
  const ruleset = [requestRuleset, responseRuleset, urlNormalizationRuleset].find(known => known.id === id)
  return version === 'latest' || version === String(ruleset?.version) ? ruleset : undefined
}

/**
 * Ids are 000…1, 000…2 and so on; `at` is the minute of the change. The account has the lists `office` (addresses),
 * `partners` (host names) and `moved` (redirects).
 */
export function contextOf(
  kind: 'zone' | 'account',
  customs: readonly Ruleset[] = [],
): WriteContext & { at(minute: number): WriteContext } {
  let ids = 0
  const newId = () => (++ids).toString(16).padStart(32, '0')
  const at = (minute: number): WriteContext => ({
    scope: { kind, id: 'f'.repeat(32) },
    now: `2026-05-01T10:${String(minute).padStart(2, '0')}:00.000000Z`,
    newId,
    managed: managedById,
    custom: id => customs.find(ruleset => ruleset.id === id),
    lists: (name, type) =>
      (name === 'office' && type === 'Ip') || (name === 'partners' && type === 'Bytes')
        ? () => false
        : undefined,
    hasRedirectList: name => name === 'moved',
  })
  return { ...at(0), at }
}

export function accepted<T>(result: Checked<T>): T {
  assert.ok(
    result.ok,
    result.ok ? '' : `${result.problem.code} ${result.problem.pointer}: ${result.problem.message}`,
  )
  return result.value
}

export function problemOf(result: Checked<unknown>): Problem {
  assert.ok(!result.ok, 'it was accepted')
  return result.problem
}

export function idsOf(ruleset: Ruleset): readonly string[] {
  return ruleset.rules.map(rule => rule.id)
}

/** A body, and code, pointer and message of its refusal. */
export type Row = readonly [
  body: unknown,
  code: number,
  pointer: string | undefined,
  message: string | RegExp,
]

/** @param run what is asked with each body */
export function check(
  rows: readonly Row[],
  run: (body: unknown) => Parameters<typeof problemOf>[0],
  status = 400,
): void {
  for (const [body, code, pointer, message] of rows) {
    const problem = problemOf(run(body))
    assert.deepEqual(
      [problem.status, problem.code, problem.pointer],
      [status, code, pointer],
      `${JSON.stringify(body)} ${problem.message}`,
    )
    if (typeof message === 'string') assert.equal(problem.message, message)
    else assert.match(problem.message, message)
  }
}

/** The API's general sentence. */
export const general = (value: string, field: string, reason: string) =>
  `'${value}' is not a valid value for ${field} because ${reason}`
