import assert from 'node:assert/strict'
import { test } from 'node:test'
import { part, withPart } from './markdown.ts'

test('a page gets the new text of one part, and keeps the rest', () => {
  const written = `# Page\n\n${part('a', ['old'])}\n\nBetween.\n\n${part('b', ['other'])}\n`
  const page = withPart(written, part('a', ['new', 'longer']))
  assert.equal(page, `# Page\n\n${part('a', ['new', 'longer'])}\n\nBetween.\n\n${part('b', ['other'])}\n`)
})

test('a page that has lost its part, or the end of it, is refused', () => {
  assert.throws(() => withPart('# Page\n', part('a', ['new'])), /has no part that begins with <!-- Made by/)
  const cut = part('a', ['old']).replace('<!-- End of this part. -->', '')
  assert.throws(() => withPart(cut, part('a', ['new'])), /has no part/)
})
