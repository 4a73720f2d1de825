export { compileRegex } from './compile.ts'
export type { Matcher, RegexError, RegexOptions, RegexOutcome } from './matcher.ts'
