import assert from 'node:assert/strict'
import { test } from 'node:test'
import { block, comment, Encoded, Expression, quoted } from './hcl.ts'
import { uniqueNames } from './names.ts'

test('strings mean themselves', () => {
  const rows: [text: string, written: string][] = [
    ['a "b" \\ c', '"a \\"b\\" \\\\ c"'],
    ['${var.a}', '"$${var.a}"'],
    ['$${a} 5% {', '"$$${a} 5% {"'],
    ['%{if a}%%{', '"%%{if a}%%%{"'],
    ['a\nb\r\n\tc', '"a\\nb\\r\\n\\tc"'],
    ['<<EOT\nEOT\n', '"<<EOT\\nEOT\\n"'],
    // HCL knows neither \b nor \f. A backslash before a letter is text.
    ['\b \f \\b \\\f', '"\\u0008 \\u000c \\\\b \\\\\\u000c"'],
    ['Zoë 🦉', '"Zoë 🦉"'],
    ['half \ud83e', '"half \ufffd"'],
  ]
  for (const [text, written] of rows) assert.equal(quoted(text), written)
  assert.equal(comment('a\nresource "x" "y" {}'), '# a\n# resource "x" "y" {}\n')
})

test('a block is written as `terraform fmt` does', () => {
  const text = block('resource "a" "b"', {
    id: new Expression('local.id'),
    gone: null,
    longer: [1, true, 'c'],
    map: { for: {}, 'X-A': null, 'b c': 'd' },
    z: [],
    list: [{ name: 'e' }, { resources: new Encoded({ 'a.b': '*' }) }],
  })
  assert.equal(
    text,
    `resource "a" "b" {
  id     = local.id
  longer = [1, true, "c"]
  map = {
    "for" = {}
    "b c" = "d"
  }
  z = []
  list = [
    {
      name = "e"
    },
    {
      resources = jsonencode({
        "a.b" = "*"
      })
    },
  ]
}
`,
  )
})

test('names are valid, unique, and the same in every order', () => {
  const named = [
    { label: 'Shop.test', id: '1' },
    { label: 'shop-test', id: '2' },
    { label: 'shop test 2', id: '3' },
    { label: '9 lives', id: '4' },
    { label: '', id: '5' },
    { label: 'Küche', id: '6' },
    { label: 'a'.repeat(200), id: '7' },
    { label: 'a'.repeat(300), id: '8' },
  ]
  const names = uniqueNames(named)
  const wanted = ['shop_test_1', 'shop_test_2_', 'shop_test_2', '_9_lives', '_', 'k_che']
  assert.deepEqual(names.slice(0, 6), wanted)
  assert.equal(new Set(names).size, named.length)
  assert.deepEqual(uniqueNames(named.toReversed()), names.toReversed())
})
