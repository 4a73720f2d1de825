import type { PackReader } from '../../kit/packing.ts'
import { compileRegex, MatchLimitError, packMatcher, unpackMatcher } from '../../regex/index.ts'
import type { Matcher, Requirements } from '../../regex/matcher.ts'
import { wafLimits } from '../limits.ts'
import { toEnd } from '../steps.ts'
import { type Groups, type OperatorFactory, type OperatorOutcome, ready, refused } from './operator.ts'
import {
  expandTemplate,
  literalOf,
  type MacroView,
  macrosOf,
  parseTemplate,
  type Template,
} from './template.ts'

/** A regular expression (Perl syntax as in ModSecurity v2); captures are the groups of the leftmost match. */
export const rx: OperatorFactory = (parameter, { packed }) => withPattern(parameter, firstGroups, packed)

/** As `rx`, but captures are the groups of every match in turn, ten in all. */
export const rxGlobal: OperatorFactory = (parameter, { packed }) => withPattern(parameter, allGroups, packed)

/** With pauses in a long value. */
type GroupsOf = (matcher: Matcher, value: string) => Generator<void, Groups, void>

function withPattern(parameter: string, groupsOf: GroupsOf, packed: PackReader | undefined): OperatorOutcome {
  if (packed !== undefined) return searching(unpackMatcher(parameter, packed), groupsOf)
  const template = parseTemplate(parameter)
  if (literalOf(template) === undefined) return withExpandedPattern(template, groupsOf)
  const compiled = compileRegex(parameter, { dialect: 'pcre' })
  if (!compiled.ok) return refused(compiled.error.message, compiled.error.offset, compiled.error.length)
  return searching(compiled.matcher, groupsOf, compiled.matcher.requirements)
}

function searching(matcher: Matcher, groupsOf: GroupsOf, requirements: Requirements = []): OperatorOutcome {
  const isWhole = matchesWhole(matcher.source, matcher.groups)
  return ready(value => matcher.test(value), {
    testInSlices: value => matcher.testInSlices(value),
    groups: value => (isWhole ? [value] : toEnd(groupsOf(matcher, value))),
    groupsInSlices: isWhole ? undefined : value => groupsOf(matcher, value),
    requirements,
    pack: pack => packMatcher(matcher, pack),
  })
}

/**
 * A pattern with macros is compiled for each new text; the last few are kept in the order of use. A text that is no
 * pattern never matches; a too long text or too large pattern has no answer.
 */
function withExpandedPattern(template: Template, groupsOf: GroupsOf): OperatorOutcome {
  const kept = new Map<string, Matcher | undefined>()
  const matcherFor = (view: MacroView): Matcher | undefined => {
    const pattern = expandTemplate(template, view)
    if (pattern.length > wafLimits.expandedPatternBytesMax) throw new MatchLimitError()
    const matcher = kept.has(pattern) ? kept.get(pattern) : compileOrNothing(pattern)
    kept.delete(pattern)
    kept.set(pattern, matcher)
    if (kept.size > wafLimits.expandedPatternsMax) kept.delete(kept.keys().next().value!)
    return matcher
  }
  return ready((value, view) => matcherFor(view)?.test(value) === true, {
    *testInSlices(value, view) {
      const matcher = matcherFor(view)
      return matcher !== undefined && (yield* matcher.testInSlices(value))
    },
    groups: (value, view) => toEnd(groupsOf(matcherFor(view)!, value)),
    groupsInSlices: (value, view) => groupsOf(matcherFor(view)!, value),
    macros: macrosOf(template),
  })
}

function compileOrNothing(pattern: string): Matcher | undefined {
  const compiled = compileRegex(pattern, { dialect: 'pcre' })
  if (compiled.ok) return compiled.matcher
  if (compiled.error.code === 'too-large') throw new MatchLimitError()
  return undefined
}

function* firstGroups(matcher: Matcher, value: string): ReturnType<GroupsOf> {
  const groups: (string | undefined)[] = []
  const found = yield* search(matcher, value, 0)
  if (found !== null) addGroups(groups, found, value)
  return groups
}

/**
 * Whether every match is the whole value. True of `^…$` without groups and alternatives: then the captures need no
 * second search. False in doubtful cases.
 */
function matchesWhole(pattern: string, groups: number): boolean {
  const isAnchored = pattern.startsWith('^') && pattern.endsWith('$') && !pattern.endsWith('\\$')
  const isPlain = groups === 0 && !pattern.includes('|') && !pattern.includes('(')
  return isAnchored && isPlain && !'?*+{'.includes(pattern.charAt(1))
}

/** An empty match counts only as the first one. At most ten searches, so still linear. */
function* allGroups(matcher: Matcher, value: string): ReturnType<GroupsOf> {
  const groups: (string | undefined)[] = []
  let from = 0
  for (
    let searches = 0;
    searches < CAPTURES_KEPT && groups.length < CAPTURES_KEPT && from <= value.length;
    searches++
  ) {
    const found = yield* search(matcher, value, from)
    if (found === null) break
    const isEmpty = found[0] === found[1]
    if (!isEmpty || groups.length === 0) addGroups(groups, found, value)
    from = isEmpty ? found[1]! + 1 : found[1]!
  }
  return groups
}

function* search(matcher: Matcher, value: string, from: number): Generator<void, Int32Array | null, void> {
  if (value.length - from < wafLimits.sliceBytes) return matcher.exec(value, from)
  return yield* matcher.execInSlices(value, from)
}

const CAPTURES_KEPT = 10

function addGroups(groups: (string | undefined)[], found: Int32Array, value: string): void {
  for (let i = 0; i < found.length && groups.length < CAPTURES_KEPT; i += 2) {
    groups.push(found[i]! < 0 ? undefined : value.slice(found[i], found[i + 1]))
  }
}
