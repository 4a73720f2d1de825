import { assert } from '../../kit/assert.ts'
import type { OperatorCall } from '../../seclang/ast.ts'
import { parse } from '../../seclang/index.ts'
import type { CompiledLink } from '../program/compiled.ts'
import { pathTo } from '../program/transform-trie.ts'
import { transformations } from '../transformations/index.ts'
import type { ProgramRule } from '../types.ts'

/** The operator of each link as written; undefined for SecAction. */
export function operatorsOf(rule: ProgramRule): readonly (OperatorCall | undefined)[] {
  const parsed = parse([{ name: rule.source, text: rule.text }])
  assert(parsed.ok, 'the text of a compiled rule can be parsed')
  const [statement] = parsed.value
  return statement?.kind === 'rule'
    ? [statement, ...statement.links].map(({ operator }) => operator)
    : [undefined]
}

/** The selection of the link as written. */
export function targetNames({ targets }: CompiledLink): readonly string[] {
  return targets.map(({ count, countName }) => (count ? countName : countName.slice(1)))
}

export interface NamedStep {
  readonly name: string
  readonly apply: (value: string) => string
}

/** The link's transformations in order. */
export function stepsOf({ transform }: CompiledLink): readonly NamedStep[] {
  return pathTo(transform)
    .slice(1)
    .map(({ step }) => ({ name: names.get(step)!, apply: step.apply }))
}

const names = new Map(Array.from(transformations, ([name, row]) => [row, name]))
