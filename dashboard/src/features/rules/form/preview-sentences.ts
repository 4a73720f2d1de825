import type { ExceptionPreview } from '../../../api/types.ts'
import { plural } from '../../../domain/ruleset/rules/words.ts'

/** Sentences about a preview, most important first. */
export function previewSentences(preview: ExceptionPreview): readonly string[] {
  const { events, matched, let_through, possibly_let_through, undecided, still_held_up, unaffected } = preview
  const looked = preview.complete ? '' : ' (only the newest were replayed)'
  const sentences = [letThrough(let_through, possibly_let_through)]
  if (undecided > 0) {
    const fields = preview.unknown_fields.map(({ name }) => name).join(', ')
    sentences.push(`${plural(undecided, 'event')} undecided: events do not record ${fields}.`)
  }
  if (still_held_up > 0)
    sentences.push(
      `${plural(still_held_up, 'request')} would still be mitigated: other rules reach the threshold.`,
    )
  if (unaffected > 0)
    sentences.push(`${plural(unaffected, 'matching event')} matched none of the skipped rules.`)
  sentences.push(
    `The expression matches ${matched.toLocaleString('en')} of ${plural(events, 'event')}${looked}.`,
  )
  return sentences
}

function letThrough(certain: number, possible: number): string {
  const why = 'an event has only the first match of each rule'
  if (certain === 0 && possible === 0) return 'No mitigated request would be allowed.'
  if (certain === 0) return `${heldUp(possible)} would possibly be allowed: ${why}.`
  const more = possible === 0 ? '' : ` Possibly ${possible.toLocaleString('en')} more: ${why}.`
  return `${heldUp(certain)} would be allowed.${more}`
}

function heldUp(n: number): string {
  return plural(n, 'mitigated request')
}
