import { createHash } from 'node:crypto'
import { escapeHtml } from '../../kit/html.ts'
import { pageDocument } from '../html.ts'
import type { ChallengeAction } from '../verdict.ts'
import type { Puzzle } from './proof-of-work.ts'
import { solverScript } from './solver-script.ts'

/** The script never changes, so its hash in the policy allows it and no other. */
export const solverHash = `'sha256-${createHash('sha256').update(solverScript).digest('base64')}'`

/** The page that a browser passes by itself, or after a press of the button for `challenge`. */
export function challengePage(puzzle: Puzzle, action: ChallengeAction, host: string, rayId: string): string {
  const press = action === 'challenge' ? 'yes' : 'no'
  const rest = action === 'challenge' ? '' : ' You need to do nothing else.'
  const body = `<main id="challenge" data-token="${escapeHtml(puzzle.token)}" data-bits="${puzzle.bits}" data-press="${press}">
<h1>Checking that you are not a robot</h1>
<p>Before it shows you this page, <strong>${escapeHtml(host)}</strong> asks your browser for a moment of work.${rest}</p>
<p id="status" role="status" aria-live="polite"></p>
<button id="go" type="button" hidden>Continue</button>
<noscript><p><strong>This check needs JavaScript.</strong> Switch it on and load the page again.</p></noscript>
<footer>Ray ID <code>${escapeHtml(rayId)}</code></footer>
</main>
<script>${solverScript}</script>`
  return pageDocument('One moment…', body)
}
