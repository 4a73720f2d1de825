import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compileRegex, type RegexOptions } from './index.ts'

/** Pattern, input, and the texts of the match and of the groups; null without a match. */
type Row = readonly [pattern: string, input: string, expected: readonly (string | undefined)[] | null]

const shared: Readonly<Record<string, readonly Row[]>> = {
  'literals and empty patterns': [
    ['', '', ['']],
    ['', 'abc', ['']],
    ['abc', 'xabcabc', ['abc']],
    ['abc', 'ab', null],
    ['a|', 'b', ['']],
    ['|a', 'a', ['']],
    ['a||b', 'b', ['']],
    ['(|a)b', 'ab', ['ab', 'a']],
    ['()', 'a', ['', '']],
    ['a}', 'a}', ['a}']],
    ['a]', 'a]', ['a]']],
    ['\xe9\xff', 'a\xe9\xff', ['\xe9\xff']],
  ],
  'alternatives: the first that leads to a match wins, leftmost before longest': [
    ['a|ab', 'ab', ['a']],
    ['(a|ab)(c|bcd)', 'abcd', ['abcd', 'a', 'bcd']],
    ['(a|ab)(c|bcd)$', 'abcd', ['abcd', 'a', 'bcd']],
    ['b|abc', 'abc', ['abc']],
    ['(?:(a)|(b))c', 'bc', ['bc', undefined, 'b']],
    ['(?:(a)|b)*', 'ab', ['ab', 'a']],
    ['x*', 'aaa', ['']],
  ],
  quantifiers: [
    ['a*', 'aaab', ['aaa']],
    ['a*?', 'aaab', ['']],
    ['a+?b', 'aaab', ['aaab']],
    ['a+?', 'aaab', ['a']],
    ['a?', 'aa', ['a']],
    ['a??', 'aa', ['']],
    ['a{2}', 'aaa', ['aa']],
    ['^a{2}$', 'aaa', null],
    ['a{2,}', 'aaaa', ['aaaa']],
    ['a{2,}', 'a', null],
    ['a{1,2}', 'aaa', ['aa']],
    ['a{1,2}?', 'aaa', ['a']],
    ['a{0}b', 'ab', ['b']],
    ['(a){0}b', 'ab', ['b', undefined]],
    ['^a{0,2}$', 'aaa', null],
    ['(a*)(a*)', 'aa', ['aa', 'aa', '']],
    ['(a*?)(a*)', 'aa', ['aa', '', 'aa']],
    ['<(.+?)>', '<a><b>', ['<a>', 'a']],
    ['(a|b){2}', 'abc', ['ab', 'b']],
    ['a{2}{3}', 'aaaaaaa', ['aaaaaa']],
    ['(?U)a+', 'aaa', ['a']],
    ['(?U)a+?', 'aaa', ['aaa']],
    ['(?U:a+)a+', 'aaa', ['aaa']],
  ],
  'loops whose turns may be empty end': [
    ['(a*)*', 'b', ['', '']],
    ['(a*)*b', 'aab', ['aab', 'aa']],
    ['(a*)+', 'b', ['', '']],
    ['(|a)*', 'aa', ['', '']],
    ['(|a)+', 'aa', ['', '']],
    ['(a|)*', 'aa', ['aa', 'a']],
    ['(?:a?)*?b', 'aab', ['aab']],
    ['(?:(?:a*)*)*$', 'aa', ['aa']],
    ['(?:^)*a', 'a', ['a']],
    ['(?:\\b|a)*c', 'aac', ['aac']],
  ],
  anchors: [
    ['^a', 'ba', null],
    ['^a', 'b\na', null],
    ['a$', 'ab', null],
    ['a$', 'a\n', null],
    ['a$', 'ba', ['a']],
    ['^$', '', ['']],
    ['^|b', 'ab', ['']],
    ['b|^c', 'ab', ['b']],
    ['(?:^|x)a', 'ba xa', ['xa']],
    ['(?:^)?a', 'ba', ['a']],
    ['\\Aa\\z', 'a', ['a']],
    ['\\Aa', 'ba', null],
    ['(?m)\\Aa', 'b\na', null],
    ['a\\z', 'a\n', null],
    ['(?m)a\\z', 'a\nb', null],
    ['(?m)^a$', 'b\na\nc', ['a']],
    ['(?m)^a$', 'b\nac', null],
    ['(?m:^)a$', 'b\na', ['a']],
    ['(?m:^)a$', 'b\na\n', null],
    ['a^b', 'ab', null],
    ['a$b', 'ab', null],
    ['(?m)a$\\n^b', 'a\nb', ['a\nb']],
  ],
  'word boundaries': [
    ['\\bfoo\\b', 'a foo b', ['foo']],
    ['\\bfoo\\b', 'afoo foob', null],
    ['\\bfoo\\b', 'foo', ['foo']],
    ['\\bfoo\\b', '_foo', null],
    ['\\bfoo\\b', '\xe9foo\xe9', ['foo']],
    ['\\Boo', 'foo', ['oo']],
    ['\\Bfoo', ' foo', null],
    ['\\b', '', null],
    ['\\B', '', ['']],
    ['\\B-\\B', '-', ['-']],
  ],
  classes: [
    ['[abc]+', 'xcabd', ['cab']],
    ['[^abc]+', 'axyb', ['xy']],
    ['[^a]', '\n', ['\n']],
    ['[a-c]+', 'abcd', ['abc']],
    ['[]a]+', 'a]', ['a]']],
    ['[^]a]', ']ab', ['b']],
    ['[a-]+', 'a-', ['a-']],
    ['[-a]+', 'a-', ['a-']],
    ['[a^]+', 'a^', ['a^']],
    ['[$.*()|?+{}]+', '$.*()|?+{}', ['$.*()|?+{}']],
    ['[\\]\\\\-]+', ']\\-', [']\\-']],
    ['[\\d\\s]+', 'a1 2', ['1 2']],
    ['[^\\d]+', '1ab2', ['ab']],
    ['[^\\D]+', 'a12', ['12']],
    ['[\\n\\t]+', 'a\n\t', ['\n\t']],
    ['[\\x41-\\x43]+', 'ABCD', ['ABC']],
    ['[[:digit:]]+', 'a12', ['12']],
    ['[[:^digit:]]+', '1ab', ['ab']],
    ['[^[:space:]a]+', ' a\tbc', ['bc']],
    ['[[:alpha:][:digit:]_]+', '-aZ0_-', ['aZ0_']],
    ['[[:xdigit:]]+', 'gAf09', ['Af09']],
    ['[[:punct:]]+', 'a!~b', ['!~']],
    ['[[:upper:]]+', 'aBCd', ['BC']],
    ['[[:lower:]]+', 'AbcD', ['bc']],
    ['[[:word:]]+', '-a_1-', ['a_1']],
    ['[[:cntrl:]]+', 'a\x00\x1f\x7f', ['\x00\x1f\x7f']],
    ['[[:graph:]]+', ' a! ', ['a!']],
    ['[[:print:]]+', '\na !\n', ['a !']],
    ['[[:blank:]]+', '\n \t', [' \t']],
    ['[[:ascii:]]+', '\xffa\x7f\x80', ['a\x7f']],
    ['[[:alnum:]]+', '-aZ9-', ['aZ9']],
    ['\\w+', '-a_Z9\xe9', ['a_Z9']],
    ['\\W+', 'a-\xe9b', ['-\xe9']],
    ['\\s+', 'a \t\n\v\f\r\xa0', [' \t\n\v\f\r']],
    ['\\S+', ' a\xa0 ', ['a\xa0']],
    ['\\d\\D', 'a1\xb2', ['1\xb2']],
  ],
  escapes: [
    ['\\.\\*\\/\\-\\_\\ ', '.*/-_ ', ['.*/-_ ']],
    ['\\a\\f\\n\\r\\t', '\x07\f\n\r\t', ['\x07\f\n\r\t']],
    ['\\x41\\x{42}\\xff', 'AB\xff', ['AB\xff']],
  ],
  'flags and their scope': [
    ['(?i)aB', 'Ab', ['Ab']],
    ['a(?i)b', 'aB', ['aB']],
    ['a(?i)b', 'AB', null],
    ['(?:a(?i)b)c', 'aBc', ['aBc']],
    ['(?:a(?i)b)c', 'aBC', null],
    ['a(?i)b|c', 'C', ['C']],
    ['(a(?i)b|c)d', 'Cd', ['Cd', 'C']],
    ['(a(?i)b|c)d', 'CD', null],
    ['(?i:a)b', 'Ab', ['Ab']],
    ['(?i:a)b', 'AB', null],
    ['(?i:a|b)c', 'Bc', ['Bc']],
    ['(?i)a(?-i)b', 'Ab', ['Ab']],
    ['(?i)a(?-i)b', 'AB', null],
    ['(?i)(?-i:a)b', 'aB', ['aB']],
    ['(?i)(?-i:a)b', 'AB', null],
    ['(?is-m:a.b)', 'A\nB', ['A\nB']],
    ['(?i)[a-c]+', 'aBC', ['aBC']],
    ['[ab](?i)[ab]', 'aB', ['aB']],
    ['[ab](?i)[ab]', 'Ab', null],
    ['(?i)[ab](?-i)[ab]', 'aB', null],
    ['(?i)[^a]+', 'Aab', ['b']],
    ['(?i)[^[:upper:]]', 'aA1', ['1']],
    ['(?i)\\x61', 'A', ['A']],
    ['(?i)\xe9', '\xc9', null],
    ['(?i)[\\x{41}-\\x{43}]', 'b', ['b']],
    ['(?i)k', '\u00ff', null],
    ['(?s).', '\n', ['\n']],
    ['(?s:.)(?-s:.)', '\na', ['\na']],
    ['(?-s).', '\n', null],
    ['(?x) a b # c\n d', 'abd', ['abd']],
    ['(?x)a\\ b\\#', 'a b#', ['a b#']],
    ['(?x: a ) b', 'a b', ['a b']],
    ['(?x)a +', 'aa', ['aa']],
    ['(?x)( a | b ) {2} # end', 'ab', ['ab', 'b']],
    ['(?x)a#', 'a', ['a']],
  ],
  groups: [
    ['(a)(b(c))', 'abc', ['abc', 'a', 'bc', 'c']],
    ['(?:a)(b)', 'ab', ['ab', 'b']],
    ['(?P<first>a)(?<second>b)', 'ab', ['ab', 'a', 'b']],
    ['(a)?b', 'b', ['b', undefined]],
    ['(a)|(b)', 'b', ['b', undefined, 'b']],
    ['((a)|b)+', 'ab', ['ab', 'b', 'a']],
    ['(.*)(\\d+)', 'a123', ['a123', 'a12', '3']],
    ['(.*?)(\\d+)', 'a123', ['a123', 'a', '123']],
  ],
}

const pcre: Readonly<Record<string, readonly Row[]>> = {
  'dot, braces, escapes': [
    ['a.b', 'a\nb', ['a\nb']],
    ['a.b', 'a\xffb', ['a\xffb']],
    ['a{', 'a{', ['a{']],
    ['a{,2}', 'a{,2}', ['a{,2}']],
    ['a{1,b}', 'a{1,b}', ['a{1,b}']],
    ['{', '{', ['{']],
    ['{a}', '{a}', ['{a}']],
    ['\\y\\<\\>\\"', 'y<>"', ['y<>"']],
    ['\\e\\cA\\c[', '\x1b\x01\x1b', ['\x1b\x01\x1b']],
    ['\\h+\\H', ' \t\xa0\n', [' \t\xa0\n']],
    ['\\v+\\V', '\n\v\f\r\x85a', ['\n\v\f\r\x85a']],
    ['\\N+', '\nab\n', ['ab']],
    ['\\x\\x4', '\x00\x04', ['\x00\x04']],
    ['\\x{e9}', '\xe9', ['\xe9']],
    ['\\0\\012\\101\\377', '\x00\nA\xff', ['\x00\nA\xff']],
    ['\\12', '\n', ['\n']],
    ['[\\1\\b\\8]+', '\x01\b8', ['\x01\b8']],
    ['[\\x80-\\xff]+', 'a\x80\xff', ['\x80\xff']],
    ['[\xe9-\xeb]', '\xea', ['\xea']],
    ['[\\w-z]+', 'a-z', ['a-z']],
    ['[a-\\d]+', '-a1', ['-a1']],
    ['[]-a]+', ']_a', [']_a']],
    ['[:]', ':', [':']],
    ['[a[]+', 'a[', ['a[']],
    ['[a&&b]+', 'a&b', ['a&b']],
    ['\xe9+', '\xe9\xe9', ['\xe9\xe9']],
    ['\\Qa.b\\E+', 'a.bb', ['a.bb']],
    ['a\\Q(', 'a(', ['a(']],
    ['a\\Eb', 'ab', ['ab']],
    ['a(?# b)c', 'ac', ['ac']],
    ['a(?# b)+', 'aa', ['aa']],
    ["(?'n'a)\\k<n>", 'aa', ['aa', 'a']],
    ['(?x)[a b]+', 'a b', ['a b']],
    ['(?)a', 'a', ['a']],
  ],
  'line and text ends': [
    ['a\\Z', 'a\n', ['a']],
    ['a\\Z', 'a', ['a']],
    ['a\\Z', 'a\n\n', null],
    ['a\\Z', 'a\nb', null],
    ['(a\\Z|b)*', 'ba\n', ['ba', 'a']],
    ['(?m)^', '', ['']],
    ['(?m)b^', 'b\n', null],
    ['\\n(?m)^', 'b\n', null],
    ['\\n(?m)^', 'b\nc', ['\n']],
    ['(?m)b$', 'b\n', ['b']],
  ],
  'look-ahead': [
    ['a(?=b)', 'acab', ['a']],
    ['a(?!b)', 'abac', ['a']],
    ['(?=(a+))a', 'aa', ['a', 'aa']],
    ['(?!(a)b)a', 'ac', ['a', undefined]],
    ['^(?=.*\\d)(?=.*[a-z])\\w+$', 'ab1', ['ab1']],
    ['^(?=.*\\d)(?=.*[a-z])\\w+$', 'abc', null],
    ['(?=a)*b', 'b', ['b']],
    ['(?=(a))?ab', 'ab', ['ab', 'a']],
    ['(?=a){2}a', 'a', ['a']],
    ['(?!)', 'a', null],
    ['(?=)', 'a', ['']],
    ['(?:a(?!$))*', 'aaa', ['aa']],
    ['(?!(?!a))a', 'a', ['a']],
    ['(?=^)a', 'a', ['a']],
  ],
  'look-behind': [
    ['(?<=a)b', 'bab', ['b']],
    ['(?<!a)b', 'abb', ['b']],
    ['(?<!a)b', 'ab', null],
    ['(?<=ab|a)c', 'ac', ['c']],
    ['(?<=a|ab)b', 'abb', ['b']],
    ['(?<=ab|a)b', 'ab', ['b']],
    ['(?<=(a)|(bc))d', 'bcd', ['d', undefined, 'bc']],
    ['(?<=[ab]{2})c', 'xbabc', ['c']],
    ['(?<=^|,)a', 'ba,a', ['a']],
    ['(?<=\\b)a', 'ba a', ['a']],
    ['(?<=(?>a))b', 'ab', ['b']],
    ['(?<=(?<=a)b)c', 'abc', ['c']],
    ['(?<=)a', 'a', ['a']],
    ['(?<!^)a', 'aa', ['a']],
    ['(?<=abc)d', 'd', null],
  ],
  'atomic groups and possessive quantifiers': [
    ['(?>a|ab)c', 'abc', null],
    ['(?>ab|a)c', 'abc', ['abc']],
    ['(?>a*)a', 'aaa', null],
    ['a*+a', 'aaa', null],
    ['a++b', 'aab', ['aab']],
    ['a?+a', 'a', null],
    ['a?+a', 'aa', ['aa']],
    ['a{1,2}+a', 'aa', null],
    ['a{1,2}+a', 'aaa', ['aaa']],
    ['a{2}+a', 'aaa', ['aaa']],
    ['(?x)a+ +a', 'aaa', null],
    ['(?>(a)|b)+', 'ab', ['ab', 'a']],
    ['(?>x*(a))b', 'xxab', ['xxab', 'a']],
    ['(?>(?>a+)b?)b', 'aabb', ['aabb']],
    ['(?:a*+b)*c', 'aabbc', ['aabbc']],
    // A thread that one start of the search left is joined by the next.
    ['(?=(?>x*(a)))(?<=x)x', 'xxa', ['x', 'a']],
    ['(?=(?>(x)*(a)))(?<=x)x', 'xxa', ['x', 'x', 'a']],
    ['(?=x*(a)(b?))(?<=x)x', 'xxab', ['x', 'a', 'b']],
    ['(?=(?:(x)|(y))*)(?<=y)x', 'yxx', ['x', 'x', undefined]],
  ],
  'back-references': [
    ['(a+)b\\1', 'aabaa', ['aabaa', 'aa']],
    ['(a+)b\\1', 'aaba', ['aba', 'a']],
    ['(?i)(a)\\1', 'aA', ['aA', 'a']],
    ['(a)\\1', 'aA', null],
    ['(?i)(\\xe9)\\1', '\xe9\xc9', null],
    ['(a)?\\1b', 'b', null],
    ['(a*)\\1b', 'b', ['b', '']],
    ['(a)(b)\\g{2}\\g1', 'abba', ['abba', 'a', 'b']],
    ['(?<n>.)\\k{n}\\k<n>\\g{n}', 'aaaa', ['aaaa', 'a']],
    ['(a|b\\1)+', 'aba', ['aba', 'ba']],
    ['(?:\\2b|(c)(a))+', 'caab', ['caab', 'c', 'a']],
    ['(a*)*\\1b', 'b', ['b', '']],
    ['(?:(a)|)*\\1$', 'aaa', ['aaa', 'a']],
    ['(?>(a+))\\1', 'aaaa', null],
    ['(?=(a+))a*b\\1', 'baaabac', ['aba', 'a']],
    ['(a)(?!\\1)', 'aab', ['a', 'a']],
    ['(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\\10', 'abcdefghijj', ['abcdefghijj', ...'abcdefghij']],
  ],
}

const rust: Readonly<Record<string, readonly Row[]>> = {
  'dot, escapes, characters': [
    ['a.b', 'a\nb', null],
    ['a.b', 'a\rb', ['a\rb']],
    ['^.$', '\xc3\xa9', null],
    ['\\v', '\v', ['\v']],
    ['\\v', '\n', null],
    ['\\x{e9}\\u{e9}\\u00e9\\U000000e9', '\xc3\xa9'.repeat(4), ['\xc3\xa9'.repeat(4)]],
    ['\\xe9', '\xe9', ['\xe9']],
    ['\\x{20ac}', '\xe2\x82\xac', ['\xe2\x82\xac']],
    ['\\x{20ac}+', '\xe2\x82\xac\xe2\x82\xac', ['\xe2\x82\xac\xe2\x82\xac']],
    ['\xc3\xa9+', '\xc3\xa9\xc3\xa9', ['\xc3\xa9\xc3\xa9']],
    ['\xc3+', '\xc3\xc3', ['\xc3\xc3']],
    ['\\<a\\>', 'ba a', ['a']],
    ['\\<', 'a', ['']],
    ['\\<', '-', null],
    ['b\\<', 'b-', null],
    ['\\>b', '-b', null],
    ['\\>', '-a', ['']],
    ['(?-u)a', 'a', ['a']],
    ['(?m)b\\n^', 'b\n', ['b\n']],
    ['(?m)b$', 'b\n', ['b']],
  ],
  'a plus after a quantifier is a second quantifier': [
    ['a++', 'aa', ['aa']],
    ['a*+a', 'aaa', ['aaa']],
    ['a?+a', 'a', ['a']],
  ],
  'set operations': [
    ['[a-z&&[^aeiou]]+', 'aebcd', ['bcd']],
    ['[0-9--4]+', '345', ['3']],
    ['[a-g~~b-h]+', 'bcah', ['ah']],
    ['[a-c[x-z]]+', 'ayb', ['ayb']],
    ['[^a-c[x-z]]', 'ayq', ['q']],
    ['[a-z&&b-y--m]+', 'amb', ['b']],
    ['[\\w&&[^\\d]]+', '1a_', ['a_']],
    ['(?i)[a-c--B]+', 'bAC', ['AC']],
    ['[a&&]', 'a', null],
    ['[--a]+', '-a', ['-a']],
    ['[]-a]+', '^]-a', [']-a']],
    ['[a&b~c]+', 'a&~', ['a&~']],
    ['[[:foo:]]+', ':of', [':of']],
    ['[^[^a]]', 'ba', ['a']],
    ['(?x)[a b # c\n d]+', 'ab d', ['ab']],
    ['(?x)[a - c]+', 'abc-', ['abc']],
  ],
}

function check(dialect: RegexOptions['dialect'], rows: readonly Row[]): void {
  for (const [pattern, input, expected] of rows) {
    const note = `${JSON.stringify(pattern)} on ${JSON.stringify(input)}`
    const outcome = compileRegex(pattern, { dialect })
    assert.ok(outcome.ok, `${note}: ${JSON.stringify(outcome)}`)
    const { matcher } = outcome
    const found = matcher.exec(input)
    const texts = found === null ? null : textsOf(input, found)
    assert.deepEqual(texts, expected, note)
    assert.equal(matcher.test(input), expected !== null, note)
    if (expected !== null) assert.equal(matcher.groups, expected.length - 1, note)
  }
}

function textsOf(input: string, slots: Int32Array): (string | undefined)[] {
  return Array.from({ length: slots.length / 2 }, (_, group) =>
    slots[2 * group]! < 0 ? undefined : input.slice(slots[2 * group], slots[2 * group + 1]),
  )
}

for (const dialect of ['pcre', 'rust'] as const)
  describe(`${dialect}, shared by both dialects`, () => {
    for (const [name, rows] of Object.entries(shared)) it(name, () => check(dialect, rows))
  })

describe('pcre', () => {
  for (const [name, rows] of Object.entries(pcre)) it(name, () => check('pcre', rows))
})

describe('rust', () => {
  for (const [name, rows] of Object.entries(rust)) it(name, () => check('rust', rows))
})

describe('caseInsensitive', () => {
  it('folds as a leading (?i), which the pattern may undo', () => {
    const test = (pattern: string, input: string) => {
      const outcome = compileRegex(pattern, { dialect: 'pcre', caseInsensitive: true })
      return outcome.ok && outcome.matcher.test(input)
    }
    assert.equal(test('ab', 'AB'), true)
    assert.equal(test('(?-i)ab', 'AB'), false)
  })
})

describe('the start of a search', () => {
  const cases: readonly [pattern: string, input: string, from: number, expected: readonly number[] | null][] =
    [
      ['a', 'aba', 0, [0, 1]],
      ['a', 'aba', 1, [2, 3]],
      ['a', 'aba', 3, null],
      ['', 'ab', 2, [2, 2]],
      ['', 'ab', 3, null],
      ['^a', 'aa', 1, null],
      ['\\Aa', 'aa', 1, null],
      ['(?m)^a', 'a\na', 1, [2, 3]],
      ['\\ba', 'aa a', 1, [3, 4]],
      ['a$', 'aa', 1, [1, 2]],
      ['(?<=a)b', 'ab', 1, [1, 2]],
      ['(?<!a)b', 'abb', 1, [2, 3]],
      ['(?=a)', 'aba', 1, [2, 2]],
      ['(?=a)', 'ab', 3, null],
      ['a\\Z', 'aa\n', 1, [1, 2]],
      ['(a)\\1', 'aaaa', 2, [2, 4, 2, 3]],
      ['a++', 'aaa', 1, [1, 3]],
    ]
  for (const [pattern, input, from, expected] of cases)
    it(`${pattern} on ${JSON.stringify(input)} from ${from}`, () => {
      const outcome = compileRegex(pattern, { dialect: 'pcre' })
      assert.ok(outcome.ok)
      const found = outcome.matcher.exec(input, from)
      assert.deepEqual(found === null ? null : [...found], expected)
    })
})
