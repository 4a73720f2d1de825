import type { Answer } from './outgoing.ts'
import { withoutSecrets } from './secrets.ts'

/** Maximum of characters shown of a receiver's answer. */
const shownCharacters = 200

/**
 * The beginning of a receiver's answer, for messages, without our secrets: it may repeat the request. Answers of
 * servers on this machine or a private network are not shown, because the author of a job could not read them
 * otherwise.
 */
export function quotedAnswer({ body, whole, fromInside }: Answer, secrets: readonly string[]): string {
  if (fromInside) return ''
  const text = body.toString('utf8')
  // The cut may have split a secret.
  const certain = whole ? text : text.slice(0, Math.max(0, text.length - (secrets[0]?.length ?? 0)))
  return withoutSecrets(certain, secrets)
    .replaceAll(/[^\x20-\x7e\u00a0-\uffff]+/g, ' ')
    .trim()
    .slice(0, shownCharacters)
}
