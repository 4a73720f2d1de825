import assert from 'node:assert/strict'

/** A ruleset as a Terraform configuration plans it: what is not in it is left to the server. */
export interface PlannedRuleset {
  readonly kind: 'zone' | 'root' | 'custom'
  readonly name: string
  readonly phase: string
  readonly description?: string
  readonly rules: readonly PlannedRule[]
}

export interface PlannedRule {
  readonly action: string
  readonly expression: string
  readonly [member: string]: unknown
}

/** A ruleset as the API answers it, and as the provider keeps it in its state. */
export interface KnownRuleset {
  readonly id: string
  readonly version: string
  readonly last_updated: string
  readonly rules: readonly KnownRule[]
  readonly [member: string]: unknown
}

export interface KnownRule {
  readonly id: string
  readonly ref: string
  readonly version: string
  readonly last_updated: string
  readonly [member: string]: unknown
}

/** How the provider's fifth version writes a rule: every rule has `enabled` and `action_parameters`. */
export function sentRule(rule: PlannedRule, known?: KnownRule): object {
  return {
    enabled: true,
    action_parameters: {},
    ...rule,
    ...(known === undefined ? {} : { ref: rule['ref'] ?? known.ref }),
  }
}

/** The body of its POST, and of its PUT once the rules are `known`. */
export function sentRuleset(planned: PlannedRuleset, known?: KnownRuleset): object {
  const { kind, name, phase, description = '', rules } = planned
  return { kind, name, phase, description, rules: rules.map((rule, at) => sentRule(rule, known?.rules[at])) }
}

/**
 * The provider's checks after each apply: every configured member is returned as it was sent, and a configured object
 * has no other members. `version` of an `execute` is unknown to it.
 */
export function assertApplied(planned: PlannedRuleset, answer: KnownRuleset): void {
  assert.equal(answer['kind'], planned.kind)
  assert.equal(answer['name'], planned.name)
  assert.equal(answer['phase'], planned.phase)
  assert.equal(answer['description'], planned.description ?? '')
  assert.equal(answer.rules.length, planned.rules.length)
  for (const [at, rule] of planned.rules.entries()) assertRule(rule, answer.rules[at]!)
}

const computed: ReadonlySet<string> = new Set(['id', 'ref', 'version', 'last_updated', 'enabled', 'logging'])

function assertRule(rule: PlannedRule, answer: KnownRule): void {
  const configured = { action_parameters: {}, ...rule } as Record<string, unknown>
  for (const [member, value] of Object.entries(configured)) {
    const given = member === 'action_parameters' ? parametersOf(answer) : answer[member]
    assert.deepEqual(given ?? {}, value, `${rule.action}: ${member}`)
    // Order of members is kept as well: state files are compared as text.
    if (member === 'action_parameters') assert.equal(JSON.stringify(given ?? {}), JSON.stringify(value))
  }
  for (const member of Object.keys(answer)) {
    assert.ok(member in configured || computed.has(member), `${rule.action}: ${member} was not configured`)
  }
  assert.equal(typeof answer['enabled'], 'boolean')
  assert.equal(typeof answer.ref, 'string')
}

function parametersOf(answer: KnownRule): unknown {
  const parameters = answer['action_parameters'] as Record<string, unknown> | undefined
  if (answer['action'] !== 'execute' || parameters === undefined) return parameters
  const { version: _, ...rest } = parameters
  return rest
}

/** Everything but what each write renews. */
export function lasting(ruleset: KnownRuleset): unknown {
  const { version: _version, last_updated: _lastUpdated, ...rest } = ruleset
  return rest
}
