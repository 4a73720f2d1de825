import { createHash } from 'node:crypto'
import { escapeHtml } from '../../kit/html.ts'
import type { ChallengeAction, Puzzle } from '../challenge/proof-of-work.ts'
import { solverScript } from '../challenge/solver-script.ts'
import { pageDocument } from './html.ts'

/** The policy allows only this script, by its hash. */
export const solverHash = `'sha256-${createHash('sha256').update(solverScript).digest('base64')}'`

/** The challenge page. A browser passes it automatically or, for `challenge`, after a click on the button. */
export function challengePage(puzzle: Puzzle, action: ChallengeAction, host: string, rayId: string): string {
  const rest = action === 'challenge' ? '' : ' You do not need to do anything.'
  const body = `<main>
<h1>Checking that you are not a robot</h1>
<p><strong>${escapeHtml(host)}</strong> checks your browser before it shows this page. This takes a moment.${rest}</p>
${challengeBox(puzzle, action)}
<footer>Ray ID <code>${escapeHtml(rayId)}</code></footer>
</main>`
  return pageDocument('One moment…', body)
}

/** The challenge itself, for any page. */
export function challengeBox(puzzle: Puzzle, action: ChallengeAction): string {
  const press = action === 'challenge' ? 'yes' : 'no'
  return `<div id="sluice-challenge" data-token="${escapeHtml(puzzle.token)}" data-bits="${puzzle.bits}" data-press="${press}">
<p id="sluice-status" role="status" aria-live="polite"></p>
<button id="sluice-go" type="button" hidden>Continue</button>
<noscript><p><strong>This check needs JavaScript.</strong> Enable it and reload the page.</p></noscript>
</div>
<script>${solverScript}</script>`
}
