import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newRuleBits } from '../program/rule-bits.ts'
import { program, send } from '../testing/requests.ts'
import { UsualValues } from './usual-values.ts'

const rules = program(`
  SecRule REQUEST_HEADERS "@rx evil" "id:1,phase:1"
  SecRule REQUEST_HEADERS:Accept "@rx ^x" "id:2,phase:1"
  SecRule REQUEST_HEADERS_NAMES "@rx ^X-Old$" "id:3,phase:1"
  SecRule REQUEST_METHOD "!@rx ^(?:GET|POST)$" "id:4,phase:1"`)

function matching(method: string, ...headers: [string, string][]): readonly string[] {
  return send(rules, { method, headers }).matched
}

describe('values of small vocabularies', () => {
  it('have the same results when they come again, in any header and case', () => {
    for (let i = 0; i < 3; i++) {
      assert.deepEqual(matching('GET', ['Accept', '*/*'], ['DNT', '1']), [])
      assert.deepEqual(matching('GET', ['Accept', 'x/evil'], ['TE', 'x/evil']), ['1', '2'])
      assert.deepEqual(matching('GET', ['DNT', 'x/evil']), ['1'])
      assert.deepEqual(matching('GET', ['X-Old', '1'], ['x-old', '1']), ['3'])
      assert.deepEqual(matching('BREW', ['x-old', '1']), ['4'])
    }
  })

  it('are forgotten when new ones fill the table', () => {
    const values = new UsualValues()
    const hits = newRuleBits(1)
    values.set('GET', hits)
    values.set('POST', null)
    assert.equal(values.get('GET'), hits)
    assert.equal(values.get('POST'), null)
    for (let i = 0; i < 300; i++) values.set(`M${i}`, null)
    assert.equal(values.get('GET'), undefined)
  })
})
