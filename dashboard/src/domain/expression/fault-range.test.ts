import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLanguage } from './engine.ts'
import { faultOfMessage } from './fault-range.ts'

const language = createLanguage({ phase: 'http_request_firewall_custom', use: 'filter' }, undefined)

const rows: readonly { readonly text: string; readonly under: string; readonly message: RegExp }[] = [
  { text: 'htp.host eq "a"', under: 'htp.host', message: /unknown identifier \(did you mean http\.host\?\)/ },
  { text: 'http.host eq "é😀" and sssl', under: 'sssl', message: /unknown identifier/ },
  { text: 'http.host eq "é"\nand nosuch', under: 'nosuch', message: /unknown identifier/ },
  { text: 'http.host eq ', under: ' ', message: /unrecognised input/ },
  { text: 'ip.src in {10.0.0.1/8}', under: '10.0.0.1/8', message: /host part/ },
  { text: 'http.response.code eq 200', under: 'http.response.code', message: /only in response phases/ },
]

for (const { text, under, message } of rows) {
  test(`the fault of ${JSON.stringify(text)} is under ${under}`, () => {
    const fault = language.check(text)
    assert.ok(fault)
    assert.equal(text.slice(fault.from, fault.to), under)
    assert.match(fault.message, message)
  })
}

test('an API message leads to the same location', () => {
  const text = 'http.host eq "é😀" and sssl'
  const message = `'${text}' is not a valid value for expression because could not parse filter expression: Filter parsing error (1:27):\n${text}\n                         ^^^^ unknown identifier (did you mean ssl?)\n`
  const fault = faultOfMessage(text, message)
  assert.ok(fault)
  assert.equal(text.slice(fault.from, fault.to), 'sssl')
  assert.equal(fault.message, 'unknown identifier (did you mean ssl?)')
  assert.equal(faultOfMessage(text, 'the description is too long'), undefined)
  const elsewhere = faultOfMessage('ssl', 'Filter parsing error (9:99):\nx\n^ what')
  assert.deepEqual(elsewhere, { from: 3, to: 3, message: 'what' })
})
