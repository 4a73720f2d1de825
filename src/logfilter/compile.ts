import type { Dataset } from '../model/dataset.ts'
import { type CheckedNode, checkTree } from './check.ts'
import { criterionTest } from './criterion.ts'
import { bytesOf, filterTree, operatorsIn } from './parse.ts'
import type { FilterOutcome, LogPredicate } from './types.ts'

/**
 * Parses, checks and compiles the filter of a Logpush job.
 * @param filter JSON text `{"where": …}`; see docs/reference/logpush.md for the grammar
 * @param dataset gives each field its type
 * @source Cloudflare, "Logpush filters"; limits and the table of operators as documented there
 */
export function compileFilter(filter: string, dataset: Dataset): FilterOutcome {
  const parsed = filterTree(filter)
  if (!parsed.ok) return parsed
  const checked = checkTree(parsed.tree, dataset)
  if (!checked.ok) return checked
  return {
    ok: true,
    test: testOf(checked.node),
    fields: [...new Set(fieldsIn(checked.node))],
    operators: operatorsIn(parsed.tree),
    bytes: bytesOf(filter),
  }
}

function testOf(node: CheckedNode): LogPredicate {
  if (node.kind === 'criterion') return criterionTest(node)
  const tests = node.nodes.map(testOf)
  if (tests.length === 1) return tests[0]!
  return node.kind === 'and' ? allOf(tests) : anyOf(tests)
}

function fieldsIn(node: CheckedNode): readonly string[] {
  return node.kind === 'criterion' ? [node.field.name] : node.nodes.flatMap(fieldsIn)
}

/** A plain loop: `every` with a closure would allocate it for each record. */
function allOf(tests: readonly LogPredicate[]): LogPredicate {
  return record => {
    for (let i = 0; i < tests.length; i++) if (!tests[i]!(record)) return false
    return true
  }
}

function anyOf(tests: readonly LogPredicate[]): LogPredicate {
  return record => {
    for (let i = 0; i < tests.length; i++) if (tests[i]!(record)) return true
    return false
  }
}
