import { compileRegex } from '../../regex/index.ts'
import type { Matcher } from '../../regex/matcher.ts'
import type { Span } from '../../seclang/ast.ts'
import type { Problems } from './problems.ts'

/** A pattern of selectors and of directives that choose rules; reported and undefined when it is wrong. */
export function compilePattern(
  pattern: string,
  caseInsensitive: boolean,
  span: Span,
  problems: Problems,
): Matcher | undefined {
  const compiled = compileRegex(pattern, { dialect: 'pcre', caseInsensitive })
  if (compiled.ok) return compiled.matcher
  problems.add('invalid-regex', span, `the regular expression ${pattern} is wrong: ${compiled.error.message}`)
  return undefined
}

/** Is the pattern found in a text? Never, when it is wrong. */
export function searcher(pattern: string, span: Span, problems: Problems): (text: string) => boolean {
  const matcher = compilePattern(pattern, false, span, problems)
  return matcher === undefined ? () => false : text => matcher.test(text)
}
