/**
 * Whether the expression is limited to Enterprise zones in the form that Cloudflare requires of account-level
 * `execute` and `skip` rules: `cf.zone.plan eq "ENT"` alone, or after a part in parentheses and `and`.
 * @param expression one that parses
 * @source Cloudflare's documentation, "Deploy a managed ruleset" and "Create an exception"
 */
export function isPlanRestricted(expression: string): boolean {
  const text = withoutParentheses(expression.trim())
  if (onlyPlan.test(text)) return true
  const end = planAtEnd.exec(text)
  if (end === null) return false
  const head = text.slice(0, end.index).trim()
  return head.startsWith('(') && closingOf(head) === head.length - 1
}

const onlyPlan = /^cf\.zone\.plan\s*(?:eq\b|==)\s*"ENT"$/
const planAtEnd = /(?:\band|&&)\s*cf\.zone\.plan\s*(?:eq\b|==)\s*"ENT"$/

/** Removes parentheses around the whole expression. */
function withoutParentheses(expression: string): string {
  let text = expression
  while (text.startsWith('(') && closingOf(text) === text.length - 1) text = text.slice(1, -1).trim()
  return text
}

/** Index of the parenthesis that closes the first one. Strings are skipped, raw ones included. */
function closingOf(text: string): number {
  let depth = 0
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === '(') depth++
    else if (token === ')' && --depth === 0) return index
  }
  return -1
}

/** A raw string, a string, or one parenthesis. */
const tokens = /\br(#*)"[\s\S]*?"\1|"(?:[^"\\]|\\[\s\S])*"|[()]/g
