import type { ExceptionPreview } from '../../api/types.ts'
import { plural } from './words.ts'

/** What a preview says, most important first. */
export function previewSentences(preview: ExceptionPreview): readonly string[] {
  const { events, matched, let_through, possibly_let_through, undecided, still_held_up, unaffected } = preview
  const looked = preview.complete ? '' : ' (there are more; these are the newest)'
  const sentences = [letThrough(let_through, possibly_let_through)]
  if (undecided > 0) {
    const fields = preview.unknown_fields.map(({ name }) => name).join(', ')
    sentences.push(`${plural(undecided, 'event')} cannot be decided: events do not record ${fields}.`)
  }
  if (still_held_up > 0)
    sentences.push(
      `${plural(still_held_up, 'request')} would still be held up: other rules add up to the threshold.`,
    )
  if (unaffected > 0)
    sentences.push(`${plural(unaffected, 'matching event')} had nothing to do with what is left out.`)
  sentences.push(
    `The expression matches ${matched.toLocaleString('en')} of ${plural(events, 'event')}${looked}.`,
  )
  return sentences
}

function letThrough(certain: number, possible: number): string {
  const why = 'an event names the first match of each rule only'
  if (certain === 0 && possible === 0) return 'No recorded request that was held up would be let through.'
  if (certain === 0) return `${heldUp(possible)} would possibly be let through: ${why}.`
  const more = possible === 0 ? '' : ` Possibly ${possible.toLocaleString('en')} more: ${why}.`
  return `${heldUp(certain)} would be let through.${more}`
}

function heldUp(n: number): string {
  return `${plural(n, 'recorded request')} that ${n === 1 ? 'was' : 'were'} held up`
}
