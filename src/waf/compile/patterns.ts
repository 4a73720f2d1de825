import type { PackReader } from '../../kit/packing.ts'
import { compileRegex, unpackMatcher } from '../../regex/index.ts'
import type { Matcher } from '../../regex/matcher.ts'
import type { Span } from '../../seclang/ast.ts'
import type { Problems } from './problems.ts'

/** The patterns of selectors, and of directives and actions that choose rules. Equal patterns share one matcher. */
export class Patterns {
  readonly problems: Problems
  /** By pattern and case sensitivity. */
  readonly made = new Map<string, Matcher>()
  readonly #packed: ReadonlyMap<string, PackReader>

  /** @param packed matchers, by their key in `made` */
  constructor(problems: Problems, packed: ReadonlyMap<string, PackReader> = new Map()) {
    this.problems = problems
    this.#packed = packed
  }

  /** Undefined for an invalid one, which is reported. */
  of(pattern: string, caseInsensitive: boolean, span: Span): Matcher | undefined {
    const key = `${caseInsensitive ? 'i' : 's'} ${pattern}`
    const known = this.made.get(key)
    if (known !== undefined) return known
    const matcher = this.#make(key, pattern, caseInsensitive, span)
    if (matcher !== undefined) this.made.set(key, matcher)
    return matcher
  }

  #make(key: string, pattern: string, caseInsensitive: boolean, span: Span): Matcher | undefined {
    const packed = this.#packed.get(key)
    if (packed !== undefined) return unpackMatcher(pattern, packed)
    const compiled = compileRegex(pattern, { dialect: 'pcre', caseInsensitive })
    if (compiled.ok) return compiled.matcher
    const { message } = compiled.error
    this.problems.add('invalid-regex', span, `the regular expression ${pattern} is wrong: ${message}`)
    return undefined
  }

  /** Whether the pattern is found in a text; false for an invalid one. */
  searcher(pattern: string, span: Span): (text: string) => boolean {
    const matcher = this.of(pattern, false, span)
    return matcher === undefined ? () => false : text => matcher.test(text)
  }
}
