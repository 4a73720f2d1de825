import assert from 'node:assert/strict'
import { test } from 'node:test'
import { part, withPart } from './markdown.ts'

test('a page gets the new text of one part, and keeps the rest', () => {
  const written = `# Page\n\n${part('a', ['old'])}\n\nBetween.\n\n${part('b', ['other'])}\n`
  const page = withPart(written, part('a', ['new', 'longer']))
  assert.equal(page, `# Page\n\n${part('a', ['new', 'longer'])}\n\nBetween.\n\n${part('b', ['other'])}\n`)
})

test('a page that has lost a notice of the part is refused, and loses no text', () => {
  assert.throws(() => withPart('# Page\n', part('a', ['new'])), /has no line <!-- Made by .* from a\./)
  const cut = part('a', ['old']).replace('<!-- End of this part. -->', '')
  for (const written of [cut, `${cut}\n\nBetween.\n\n${part('b', ['other'])}`])
    assert.throws(() => withPart(written, part('a', ['new'])), /no line <!-- End of this part. --> behind/)
})
