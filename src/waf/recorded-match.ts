import type { Macro, MacroView, Template } from './operators/index.ts'
import type { RuleMatch } from './types.ts'
import { isCaptureName, type PendingCaptures } from './variables/tx-variables.ts'

/**
 * A match as it is shown. Captures that nobody has read are not worked out for it until somebody reads `data`.
 * @param template `logdata`; its macros are expanded now
 * @param captures of the match, when they are not in TX yet
 */
export function recordedMatch(
  match: Omit<RuleMatch, 'data'>,
  template: Template,
  captures: PendingCaptures | undefined,
  view: MacroView,
): RuleMatch {
  // Numbers stand for captures.
  const parts = template.map(part => {
    if (typeof part === 'string') return part
    return captures !== undefined && isCapture(part) ? Number(part.key) : view.expand(part)
  })
  return {
    ...match,
    get data() {
      return parts.map(part => (typeof part === 'string' ? part : (captures?.groups[part] ?? ''))).join('')
    },
  }
}

function isCapture({ collection, key }: Macro): boolean {
  return collection === 'TX' && key !== undefined && isCaptureName(key)
}
