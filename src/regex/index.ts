export { ByteSet } from './byte-set.ts'
export { compileRegex, packMatcher, unpackMatcher } from './compile.ts'
export type { Clause, Matcher, RegexError, RegexOptions, RegexOutcome, Requirements } from './matcher.ts'
export { boundWork, MatchLimitError, WorkExceededError, workDone } from './work.ts'
