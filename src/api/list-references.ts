import type { Rule, Ruleset } from '../model/resource.ts'
import type { Store } from '../store/port.ts'

/** A rule that names a list. */
export interface ListReference {
  readonly ruleset: Ruleset
  readonly rule: Rule
}

/** Rules of an account and of its zones by the name of the list that they ask about. */
export type ListReferences = ReadonlyMap<string, readonly ListReference[]>

export async function listReferences(store: Store, accountId: string): Promise<ListReferences> {
  const references = new Map<string, ListReference[]>()
  for (const ruleset of await store.rulesets.namingLists(accountId)) collect(ruleset, references)
  return references
}

function collect(ruleset: Ruleset, into: Map<string, ListReference[]>): void {
  for (const rule of ruleset.rules) {
    for (const name of listsNamedBy(rule)) {
      const known = into.get(name)
      if (known === undefined) into.set(name, [{ ruleset, rule }])
      else known.push({ ruleset, rule })
    }
  }
}

/** Every text of a rule that can be an expression is looked at; a `$name` inside quotes is no list. */
function listsNamedBy(rule: Rule): ReadonlySet<string> {
  const names = new Set<string>()
  const counting = rule.ratelimit?.['counting_expression']
  for (const text of [rule.expression, counting]) {
    if (typeof text !== 'string') continue
    for (const [, name] of text.replace(quoted, '""').matchAll(listName)) names.add(name!)
  }
  return names
}

/** Strings, raw ones too, as the rules language writes them. */
const quoted = /\br(#*)"[\s\S]*?"\1|"(?:[^"\\]|\\[\s\S])*"/g
/** A list is named behind `in` and nowhere else. */
const listName = /\bin\s*\$([a-z0-9_]+)(?![a-z0-9_.])/g
