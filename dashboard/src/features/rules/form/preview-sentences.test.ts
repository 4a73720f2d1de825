import assert from 'node:assert/strict'
import { test } from 'node:test'
import { previewSentences } from './preview-sentences.ts'

test('a preview in sentences', () => {
  const preview = {
    since: '',
    until: '',
    complete: false,
    events: 1200,
    matched: 9,
    let_through: 1,
    possibly_let_through: 2,
    undecided: 3,
    still_held_up: 0,
    not_held_up: 3,
    unaffected: 0,
    unknown_fields: [{ name: 'http.request.body.raw', events: 3 }],
    examples: [],
  }
  assert.deepEqual(previewSentences(preview), [
    '1 mitigated request would be allowed. Possibly 2 more: an event has only the first match of each rule.',
    '3 events undecided: events do not record http.request.body.raw.',
    'The expression matches 9 of 1,200 events (only the newest were replayed).',
  ])
  const first = (let_through: number, possibly_let_through: number) =>
    previewSentences({ ...preview, let_through, possibly_let_through })[0]
  assert.match(first(0, 0)!, /^No mitigated request/)
  assert.match(first(0, 2)!, /^2 mitigated requests would possibly be allowed:/)
})
