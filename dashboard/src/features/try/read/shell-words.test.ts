import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CannotRead } from './read.ts'
import { shellWords } from './shell-words.ts'

/** As bash reads them, except that a carriage return at the end of a line is ignored. */
const rows: readonly (readonly [command: string, words: readonly string[]])[] = [
  ['', []],
  ['  \n\n ', []],
  ['curl a  b\tc', ['curl', 'a', 'b', 'c']],
  ["curl 'a b' c", ['curl', 'a b', 'c']],
  ["'a'\\''b'", ["a'b"]],
  ['"a b"c', ['a bc']],
  ['"a\\"b\\\\c\\$d\\`e\\n"', ['a"b\\c$d`e\\n']],
  ["'a\\nb'", ['a\\nb']],
  ['a\\ b', ['a b']],
  ["''", ['']],
  ['""', ['']],
  ['a "" b', ['a', '', 'b']],
  ['curl \\\n  -H x', ['curl', '-H', 'x']],
  ['curl \\\r\n  -H x', ['curl', '-H', 'x']],
  ['"a\\\nb"', ['ab']],
  ["'a\nb'", ['a\nb']],
  ["$'a\\nb\\t\\'\\\\'", ["a\nb\t'\\"]],
  ["$'\\x41\\x4g\\101\\60'", ['A\x04gA0']],
  ["$'\\xff\\u00e9\\U0001F600'", ['\xff\xc3\xa9\xf0\x9f\x98\x80']],
  ["$'\\q\\cA\\e'", ['\\q\x01\x1b']],
  ['é', ['\xc3\xa9']],
  ['"é"', ['\xc3\xa9']],
  ['$"a"', ['a']],
  ['a#b', ['a#b']],
  ['\n\ncurl a', ['curl', 'a']],
  ['# how to\ncurl a', ['curl', 'a']],
  ['$', ['$']],
]

test('words', () => {
  for (const [command, words] of rows) {
    const notes: string[] = []
    assert.deepEqual(shellWords(command, notes), words, command)
    assert.deepEqual(notes, [], command)
  }
})

test('text after the command is ignored, with a note', () => {
  for (const rest of ['| jq .', '; echo', '&& echo', '> file', '2>&1', '\necho', '& echo']) {
    const notes: string[] = []
    const words = shellWords(`curl a ${rest}`, notes)
    assert.deepEqual(words.slice(0, 2), ['curl', 'a'], rest)
    assert.equal(notes.length, 1, rest)
  }
})

test('a URL without quotes is read to its end, with a note', () => {
  const notes: string[] = []
  assert.deepEqual(shellWords('curl http://a/?b=1&c=2', notes), ['curl', 'http://a/?b=1&c=2'])
  assert.equal(notes.length, 1)
})

test('variables stay as they are, with a note', () => {
  for (const command of ['$TOKEN', '"$TOKEN"', '"${TOKEN}"', '$(date)', '`date`', '"`date`"']) {
    const notes: string[] = []
    const [word] = shellWords(command, notes)
    assert.ok(word!.length > 0)
    assert.ok(notes.length >= 1, command)
  }
  const notes: string[] = []
  assert.deepEqual(shellWords('\'$TOKEN\' "5$"', notes), ['$TOKEN', '5$'])
  assert.deepEqual(notes, [])
})

test('unclosed quotes', () => {
  for (const command of ["curl 'a", 'curl "a', "curl $'a", 'curl "a\\"', "curl $'a\\'"])
    assert.throws(() => shellWords(command, []), CannotRead, command)
})
