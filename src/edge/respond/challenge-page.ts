import { createHash } from 'node:crypto'
import { escapeHtml } from '../../kit/html.ts'
import type { ChallengeAction, Puzzle } from '../challenge/proof-of-work.ts'
import { solverScript } from '../challenge/solver-script.ts'
import { pageDocument } from './html.ts'

/** The policy allows only this script, by its hash. */
export const solverHash = `'sha256-${createHash('sha256').update(solverScript).digest('base64')}'`

/** The challenge page. A browser passes it automatically or, for `challenge`, after a click on the button. */
export function challengePage(puzzle: Puzzle, action: ChallengeAction, host: string, rayId: string): string {
  const press = action === 'challenge' ? 'yes' : 'no'
  const rest = action === 'challenge' ? '' : ' You do not need to do anything.'
  const body = `<main id="challenge" data-token="${escapeHtml(puzzle.token)}" data-bits="${puzzle.bits}" data-press="${press}">
<h1>Checking that you are not a robot</h1>
<p><strong>${escapeHtml(host)}</strong> checks your browser before it shows this page. This takes a moment.${rest}</p>
<p id="status" role="status" aria-live="polite"></p>
<button id="go" type="button" hidden>Continue</button>
<noscript><p><strong>This check needs JavaScript.</strong> Enable it and reload the page.</p></noscript>
<footer>Ray ID <code>${escapeHtml(rayId)}</code></footer>
</main>
<script>${solverScript}</script>`
  return pageDocument('One moment…', body)
}
