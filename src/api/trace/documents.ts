import type { RequestTrace, TracedRule, TracedRuleset } from '../../model/request-trace.ts'
import type { Ruleset, Scope } from '../../model/resource.ts'
import type { Store } from '../../store/port.ts'
import type { ManagedCatalog } from '../rulesets/managed.ts'

type Document = Omit<Ruleset, 'scope'>

/** Ruleset documents of the versions that a trace passed: the edge has only their compiled form. */
export interface TraceDocuments {
  /** Undefined if the version was deleted. */
  find(ruleset: { readonly id: string; readonly version: string }): Document | undefined
}

export async function traceDocuments(
  { rulesets }: Pick<Store, 'rulesets'>,
  managed: ManagedCatalog,
  accountId: string,
  { zone, phases }: RequestTrace,
): Promise<TraceDocuments> {
  const scopes: readonly Scope[] = [
    { kind: 'zone', id: zone.id },
    { kind: 'account', id: accountId },
  ]
  const known = new Map<string, Document>()
  const read = async (scope: Scope, id: string, version: number) => {
    const newest = await rulesets.get(scope, id)
    return newest?.version === version ? newest : rulesets.version(scope, id, version)
  }
  for (const { id, version } of phases.flatMap(phase => phase.rulesets.flatMap(withInner))) {
    for (const scope of scopes) {
      if (known.has(keyOf(id, version))) break
      const document = await read(scope, id, Number(version))
      if (document !== undefined) known.set(keyOf(id, version), document)
    }
  }
  return { find: ({ id, version }) => known.get(keyOf(id, version)) ?? managed.find(id, version) }
}

function keyOf(id: string, version: string): string {
  return `${id} ${version}`
}

/** A ruleset and the custom rulesets that its rules execute. */
function withInner(ruleset: TracedRuleset): TracedRuleset[] {
  const inner = ({ executes }: TracedRule) => (executes === undefined ? [] : withInner(executes))
  return [ruleset, ...ruleset.rules.flatMap(inner)]
}
