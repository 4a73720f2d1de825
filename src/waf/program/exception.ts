import { assert } from '../../kit/assert.ts'
import { compileRegex } from '../../regex/index.ts'
import type { Matcher } from '../../regex/matcher.ts'
import { lowercase } from '../transformations/case.ts'
import type { ExceptedTarget, Exception, ExceptionSpec, Program, ProgramRule } from '../types.ts'
import { variables } from '../variables/table.ts'
import { addRule, newRuleBits, type RuleBits } from './rule-bits.ts'
import type { Exclusion } from './selections.ts'

/** A compiled exception: disabled rules, and excluded values by rule. */
export class CompiledException implements Exception {
  readonly program: Program
  /** Undefined if no rule is disabled. */
  readonly off: RuleBits | undefined
  readonly targets: readonly UnseenTarget[]

  /** @throws TypeError for an unknown collection or an invalid pattern */
  constructor(program: Program, spec: ExceptionSpec) {
    this.program = program
    this.off = bitsOf(program, spec.off)
    const targets: UnseenTarget[] = []
    for (const target of spec.targets) {
      const rules = bitsOf(program, target.rules)
      if (rules !== undefined) targets.push({ rules, target: exclusionOf(target), by: undefined })
    }
    this.targets = targets
  }
}

/** Values that some rules do not test. */
export interface UnseenTarget {
  readonly rules: RuleBits
  readonly target: Exclusion
  /** Undefined without an id, tag or message: then it is for all rules. */
  readonly by: undefined
}

/** Detection rules only: the machinery around them is folded ahead of requests; see `FoldedRun`. */
function bitsOf({ rules }: Program, chosen: (rule: ProgramRule) => boolean): RuleBits | undefined {
  let bits: RuleBits | undefined
  for (const rule of rules) {
    if (rule.role === 'support' || !chosen(rule)) continue
    bits ??= newRuleBits(rules.length)
    addRule(bits, rule.index)
  }
  return bits
}

function exclusionOf({ collection, key }: ExceptedTarget): Exclusion {
  const variable = variables.get(collection)
  if (variable === undefined) throw new TypeError(`there is no collection ${collection}`)
  if (key === undefined) return { variable, key: undefined, pattern: undefined }
  if (key.kind === 'exact') return { variable, key: lowercase(key.text), pattern: undefined }
  return { variable, key: undefined, pattern: matcherOf(key.text) }
}

/** Case-insensitive, as in the patterns of targets. */
function matcherOf(pattern: string): Matcher {
  const compiled = compileRegex(pattern, { dialect: 'pcre', caseInsensitive: true })
  if (compiled.ok) return compiled.matcher
  throw new TypeError(`the regular expression ${pattern} is wrong: ${compiled.error.message}`)
}

/** @throws if one belongs to another program */
export function exceptionsOf(
  program: Program,
  exceptions: readonly Exception[] | undefined,
): readonly CompiledException[] | undefined {
  if (exceptions === undefined || exceptions.length === 0) return undefined
  for (const exception of exceptions) {
    assert(
      exception instanceof CompiledException && exception.program === program,
      'an exception is used with the program that made it',
    )
  }
  return exceptions as readonly CompiledException[]
}
