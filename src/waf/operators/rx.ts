import { wafLimits } from '../../kit/limits.ts'
import { compileRegex } from '../../regex/index.ts'
import type { Matcher } from '../../regex/matcher.ts'
import { type Captures, type OperatorFactory, type OperatorOutcome, ready, refused } from './operator.ts'
import { expandTemplate, literalOf, parseTemplate, type Template } from './template.ts'

/** A regular expression (ModSecurity v2's meaning of Perl syntax); captures are the groups of the leftmost match. */
export const rx: OperatorFactory = parameter => withPattern(parameter, matches)

/** As `rx`, but captures are the groups of every match in turn, ten in all. */
export const rxGlobal: OperatorFactory = parameter => withPattern(parameter, matchesEverywhere)

type Search = (matcher: Matcher, value: string, captures: Captures | undefined) => boolean

function withPattern(parameter: string, search: Search): OperatorOutcome {
  const template = parseTemplate(parameter)
  if (literalOf(template) === undefined) return withExpandedPattern(template, search)
  const compiled = compileRegex(parameter, { dialect: 'pcre' })
  if (!compiled.ok) return refused(compiled.error.message, compiled.error.offset, compiled.error.length)
  const { matcher } = compiled
  if (matchesWhole(parameter, matcher.groups))
    return ready((value, view) => matchesAll(matcher, value, view.captures))
  return ready((value, view) => search(matcher, value, view.captures))
}

/**
 * A pattern with macros is compiled when a request brings a new text for it; the last few are kept, in the order of use.
 * A text that is no pattern never matches.
 */
function withExpandedPattern(template: Template, search: Search): OperatorOutcome {
  const kept = new Map<string, Matcher | undefined>()
  return ready((value, view) => {
    const pattern = expandTemplate(template, macro => view.expand(macro))
    if (pattern.length > wafLimits.expandedPatternBytesMax) return false
    const matcher = kept.has(pattern) ? kept.get(pattern) : compileOrNothing(pattern)
    kept.delete(pattern)
    kept.set(pattern, matcher)
    if (kept.size > wafLimits.expandedPatternsMax) kept.delete(kept.keys().next().value!)
    return matcher !== undefined && search(matcher, value, view.captures)
  })
}

function compileOrNothing(pattern: string): Matcher | undefined {
  const compiled = compileRegex(pattern, { dialect: 'pcre' })
  return compiled.ok ? compiled.matcher : undefined
}

function matches(matcher: Matcher, value: string, captures: Captures | undefined): boolean {
  if (!matcher.test(value)) return false
  if (captures !== undefined) {
    const groups: (string | undefined)[] = []
    addGroups(groups, matcher.exec(value)!, value)
    captures.replace(groups)
  }
  return true
}

/**
 * Is all that the pattern matches the whole value? True of `^…$` without groups and alternatives: then the captures need
 * no second search. Anything doubtful is false.
 */
function matchesWhole(pattern: string, groups: number): boolean {
  const isAnchored = pattern.startsWith('^') && pattern.endsWith('$') && !pattern.endsWith('\\$')
  const isPlain = groups === 0 && !pattern.includes('|') && !pattern.includes('(')
  return isAnchored && isPlain && !'?*+{'.includes(pattern.charAt(1))
}

function matchesAll(matcher: Matcher, value: string, captures: Captures | undefined): boolean {
  if (!matcher.test(value)) return false
  captures?.replace([value])
  return true
}

/** An empty match counts only as the first one. At most ten searches, so still linear. */
function matchesEverywhere(matcher: Matcher, value: string, captures: Captures | undefined): boolean {
  if (!matcher.test(value)) return false
  if (captures === undefined) return true
  const groups: (string | undefined)[] = []
  let from = 0
  for (
    let searches = 0;
    searches < CAPTURES_MAX && groups.length < CAPTURES_MAX && from <= value.length;
    searches++
  ) {
    const found = matcher.exec(value, from)
    if (found === null) break
    const isEmpty = found[0] === found[1]
    if (!isEmpty || groups.length === 0) addGroups(groups, found, value)
    from = isEmpty ? found[1]! + 1 : found[1]!
  }
  captures.replace(groups)
  return true
}

const CAPTURES_MAX = 10

function addGroups(groups: (string | undefined)[], found: Int32Array, value: string): void {
  for (let i = 0; i < found.length && groups.length < CAPTURES_MAX; i += 2) {
    groups.push(found[i]! < 0 ? undefined : value.slice(found[i], found[i + 1]))
  }
}
