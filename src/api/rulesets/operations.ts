import { Type } from '@fastify/type-provider-typebox'
import type { Json, Scope } from '../../model/resource.ts'
import { rulesetSchemas } from '../../rulesets/index.ts'
import { noContent, type OperationDetails, operationsOf } from '../openapi/operation.ts'

const blockRule = {
  action: 'block',
  expression: 'http.request.uri.path contains "/wp-admin" and not ip.src in {192.0.2.0/24}',
  description: 'Administration from the office only',
}

const owaspRule = {
  action: 'execute',
  expression: 'true',
  description: 'OWASP Core Ruleset at paranoia levels 1 and 2, acting from a score of 25',
  action_parameters: {
    id: '4814384a9e5d4991b9815dcfc25d2f1f',
    overrides: {
      categories: [
        { category: 'paranoia-level-3', enabled: false },
        { category: 'paranoia-level-4', enabled: false },
      ],
      rules: [{ id: '6179ae15870a4bb7b2d480d4843b323c', score_threshold: 25, action: 'block' }],
    },
  },
}

const zoneExamples: Readonly<Record<string, Json>> = {
  createRuleset: {
    kind: 'zone',
    name: 'default',
    phase: 'http_request_firewall_custom',
    rules: [{ ...blockRule, ref: 'admin-office-only' }],
  },
  updateEntryPoint: { rules: [owaspRule] },
  createRule: { ...blockRule, position: { index: 1 } },
  updateRule: { ...blockRule, enabled: false },
}

const accountExamples: Readonly<Record<string, Json>> = {
  createRuleset: {
    kind: 'custom',
    name: 'Shared blocks',
    phase: 'http_request_firewall_custom',
    rules: [blockRule],
  },
}

const { ruleset, summary } = rulesetSchemas
const summaries = Type.Array(summary)
/** Changes of a ruleset that is there already. */
const change = { result: ruleset, tagged: true, conditional: true } as const

export type RulesetOperations = ReturnType<typeof rulesetOperations>

/** Accounts and zones have the same routes, but for tags, which only accounts have. */
export function rulesetOperations(scope: Scope['kind']) {
  const [at, where, examples] =
    scope === 'zone'
      ? (['Zone', 'of a zone', zoneExamples] as const)
      : (['Account', 'of an account', accountExamples] as const)
  const operation = operationsOf('Rulesets')
  const one = (name: string, text: string, details: OperationDetails) => {
    const example = examples[name]
    return operation(`${name}${at}`, `${text} ${where}`, 'phase', {
      ...details,
      ...(example === undefined ? {} : { example }),
    })
  }
  const read = { result: ruleset, tagged: true } as const
  return {
    list: one('listRulesets', 'List the rulesets', { result: summaries }),
    create: one('createRuleset', 'Create a ruleset', { ...read, body: rulesetSchemas.createBody }),
    get: one('getRuleset', 'Get a ruleset', read),
    update: one('updateRuleset', 'Replace the rules of a ruleset', {
      ...change,
      body: rulesetSchemas.replaceBody,
    }),
    delete: one('deleteRuleset', 'Delete a ruleset', { conditional: true, answers: noContent }),
    createRule: one('createRule', 'Add a rule to a ruleset', { ...change, body: rulesetSchemas.ruleCreate }),
    updateRule: one('updateRule', 'Replace or move a rule', { ...change, body: rulesetSchemas.ruleUpdate }),
    deleteRule: one('deleteRule', 'Delete a rule', change),
    listVersions: one('listRulesetVersions', 'List the versions of a ruleset', { result: summaries }),
    getVersion: one('getRulesetVersion', 'Get a version of a ruleset', read),
    deleteVersion: one('deleteRulesetVersion', 'Delete a version of a ruleset', { answers: noContent }),
    getVersionByTag: one(
      'getRulesetVersionByTag',
      'Get the rules with a tag in a version of a ruleset',
      read,
    ),
    getEntryPoint: one('getEntryPoint', 'Get the entry point of a phase', read),
    updateEntryPoint: one('updateEntryPoint', 'Replace or create the entry point of a phase', {
      ...change,
      body: rulesetSchemas.entryPointBody,
    }),
    listEntryPointVersions: one('listEntryPointVersions', 'List the versions of an entry point', {
      result: summaries,
    }),
    getEntryPointVersion: one('getEntryPointVersion', 'Get a version of an entry point', read),
  }
}
