import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../../../model/resource.ts'
import { collection, type Kind } from './kind.ts'

const both = ['account', 'zone'] as const

/** Custom rulesets come first, because entry points execute them. */
export const rulesetKinds: readonly Kind[] = [
  collection('rulesets', {
    name: 'custom_rulesets',
    noun: 'custom ruleset',
    scopes: both,
    keys: ['name', 'phase'],
    members: ['name', 'phase', 'description', 'rules'],
    isListedInPart: true,
    wanted: ({ kind }) => kind === 'custom',
    more: rulesOf,
    normal: normalRules,
    create: body => ({ method: 'POST', path: 'rulesets', body: { kind: 'custom', ...body } }),
    change: (id, { name, description = '', rules = [] }) => ({
      method: 'PUT',
      path: `rulesets/${id}`,
      body: { name: name!, description, rules },
    }),
  }),
  collection('rulesets', {
    name: 'rulesets',
    noun: 'ruleset',
    scopes: both,
    keys: ['phase'],
    members: ['phase', 'name', 'description', 'rules'],
    isListedInPart: true,
    wanted: ({ kind }) => kind === 'zone' || kind === 'root',
    defaults: { name: 'default' },
    more: rulesOf,
    normal: normalRules,
    create: entryPoint,
    change: (_id, document) => entryPoint(document),
  }),
]

function entryPoint({ phase, name = 'default', description = '', rules = [] }: JsonObject) {
  return {
    method: 'PUT',
    path: `rulesets/phases/${phase}/entrypoint`,
    body: { name, description, rules },
  } as const
}

/** Rules keep their `ref`, by which they are the same rules in every installation. */
function rulesOf({ rules = [] }: JsonObject): JsonObject {
  return {
    rules: (rules as readonly JsonObject[]).map(
      ({ id: _id, version: _version, last_updated: _updated, categories: _categories, ...rule }) => rule,
    ),
  }
}

/** A rule of a file without a `ref` is the equal rule of the API. */
function normalRules(document: JsonObject, present?: JsonObject): JsonObject {
  const left = [...((present?.['rules'] ?? []) as readonly JsonObject[])].map(normalRule)
  const rules = ((document['rules'] ?? []) as readonly JsonObject[]).map(normalRule).map(rule => {
    if (rule['ref'] !== undefined) return rule
    const at = left.findIndex(({ ref: _ref, ...other }) => isDeepStrictEqual(other, rule))
    return at < 0 ? rule : left.splice(at, 1)[0]!
  })
  return { ...document, rules }
}

/** Without what the API adds. */
function normalRule({ enabled = true, logging, description, ...given }: JsonObject): JsonObject {
  const { action_parameters: parameters = {}, ...rule } = given
  const { version = 'latest', ...others } = parameters as JsonObject
  const known = version === 'latest' ? others : { ...others, version }
  const standard = rule['action'] === 'skip' && isDeepStrictEqual(logging, { enabled: true })
  return {
    ...rule,
    ...(Object.keys(known).length === 0 ? {} : { action_parameters: known }),
    ...(description ? { description } : {}),
    ...(logging === undefined || standard ? {} : { logging }),
    ...(enabled === true ? {} : { enabled }),
  }
}
