import type { Rule, Ruleset } from '../../model/resource.ts'
import type { Store } from '../../store/port.ts'

/** A rule that names a list. */
export interface ListReference {
  readonly ruleset: Ruleset
  readonly rule: Rule
}

/** Rules of an account and its zones, by the name of the list that they use. */
export type ListReferences = ReadonlyMap<string, readonly ListReference[]>

export async function listReferences(store: Store, accountId: string): Promise<ListReferences> {
  return referencesIn(await store.rulesets.namingLists(accountId))
}

export function referencesIn(rulesets: readonly Ruleset[]): ListReferences {
  const references = new Map<string, ListReference[]>()
  for (const ruleset of rulesets) collect(ruleset, references)
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

/**
 * Searches every text of a rule that can be an expression; a `$name` inside quotes is not a list. Bulk redirects name
 * their list in a parameter.
 */
export function listsNamedBy(rule: Rule): ReadonlySet<string> {
  const names = new Set<string>()
  const counting = rule.ratelimit?.['counting_expression']
  const parameters = rule.action === 'redirect' ? rule.actionParameters : undefined
  const redirects = parameters?.['from_list'] as { readonly name: string; readonly key: string } | undefined
  if (redirects !== undefined) names.add(redirects.name)
  for (const text of [rule.expression, counting, redirects?.key]) {
    if (typeof text !== 'string') continue
    for (const [, name] of text.replace(quoted, '""').matchAll(listName)) names.add(name!)
  }
  return names
}

/** Strings, raw ones too, as the rules language writes them. */
const quoted = /\br(#*)"[\s\S]*?"\1|"(?:[^"\\]|\\[\s\S])*"/g
/** Lists are named only after `in`. */
const listName = /\bin\s*\$([a-z0-9_]+)(?![a-z0-9_.])/g
