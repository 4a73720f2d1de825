import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { conform, type Row } from '../testing/conformance-rows.ts'
import { run } from '../testing/requests.ts'

/** Every operator and transformation of CRS 4.28.0 and 3.3.10, in rules. */

/** Values as arguments `a`, `b`, …; `want` has the numbers of the matching ones. */
function matching(
  item: string,
  operator: string,
  values: readonly string[],
  want: readonly number[],
  shows = operator,
): Row {
  const names = values.map((_, index) => String.fromCharCode(0x61 + index))
  return {
    item,
    shows,
    rules: `SecAction "id:90,phase:1,nolog,setvar:tx.limit=5,setvar:'tx.text=b c'"
      SecRule ARGS "${operator.replaceAll('"', '\\"')}" "id:1,phase:2,nolog,setvar:'tx.seen=%{tx.seen}%{MATCHED_VAR_NAME} '"
      SecAction "id:99,phase:5,msg:'%{tx.seen}'"`,
    request: { target: `/?${names.map((name, index) => `${name}=${escaped(values[index]!)}`).join('&')}` },
    files: {
      'words.data': '# comment\n\n two words \nEvil\n',
      'more.data': 'third',
      'nets.txt': '192.0.2.0/24\n',
    },
    want: [`99 ${want.map(index => `ARGS:${names[index]} `).join('')}`.trim()],
  }
}

function escaped(bytes: string): string {
  return [...bytes].map(char => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')
}

function address(item: string, operator: string, clientIp: string, want: boolean): Row {
  return {
    item,
    shows: `${operator} ${clientIp}`,
    rules: `SecRule REMOTE_ADDR "${operator}" "id:1,phase:1"`,
    request: { clientIp },
    files: { 'nets.txt': '# nets\n192.0.2.0/24\n2001:db8::/32\n' },
    want: want ? ['1'] : [],
  }
}

conform(
  'operators',
  `rx, lt, le, eq, ge, gt, pmFromFile, pm, streq, within, endsWith, beginsWith, contains, validateByteRange, ipMatch, ipMatchFromFile,
   detectXSS, detectSQLi, validateUrlEncoding, validateUtf8Encoding, unconditionalMatch, noMatch, geoLookup, rbl, !, no operator name`,
  [
    matching(
      'rx',
      '@rx ^a.b$',
      ['a\nb', 'a\nb\n', 'x\na\nb', 'A.B'],
      [0],
      'dot matches all, anchors only at the ends',
    ),
    matching(
      'rx',
      '@rx (?i)straße',
      ['STRA\u00c3\u009fE', 'stra\u00c3\u009fe'],
      [],
      'bytes, as the rule file has them',
    ),
    matching(
      'rx',
      '@rx (?i)^\\xe9\\w\\s\\d\\b$',
      ['\u00e9a 1', '\u00c9A\u000b1', '\u00e9\u00e9 1', '\u00e9a\u00a01'],
      [0],
      'classes and case are ASCII only',
    ),
    matching('rx', '@rx ^[^\\x00-\\x7f]\\x{bc}$', ['\u00ff\u00bc', 'a\u00bc'], [0], 'high bytes'),
    matching('rx', '@rx ^(?:a|ab)(?i:C)\\z', ['abC', 'abc', 'ac', 'acx'], [0, 1, 2]),
    matching('lt', '@lt 5', ['4', '5', '-3', ' 4x', 'x', ''], [0, 2, 3, 4, 5], 'atoi rules'),
    matching('lt', '@lt %{tx.limit}', ['4', '5'], [0]),
    matching('lt', '@lt %{tx.unset}', ['0', '-1'], [1], 'an unset macro is 0'),
    matching('le', '@le 5', ['5', '6'], [0]),
    matching('eq', '@eq 5', ['5', '+5', '5.9', '05', '6'], [0, 1, 2, 3]),
    matching('ge', '@ge 5', ['4', '5', '6'], [1, 2]),
    matching('gt', '@gt 5', ['5', '6'], [1]),
    matching('pm', '@pm one TWO', ['xONEx', 'two', 'tw o'], [0, 1]),
    matching(
      'pmFromFile',
      '@pmFromFile words.data more.data',
      ['a two words', 'twowords', 'EVILs', 'comment', 'third', '#'],
      [0, 2, 4],
    ),
    matching('pmFromFile', '@pmf words.data', ['evil'], [0], 'short name'),
    matching('streq', '@streq %{tx.text}', ['b c', 'B c', 'b c '], [0]),
    matching(
      'within',
      '@within a%{tx.text}d',
      ['b c', 'c', '', 'cd', 'x'],
      [0, 1, 2, 3],
      'the value in the parameter; empty matches',
    ),
    matching('endsWith', '@endsWith %{tx.text}', ['ab c', 'b c', 'b cd'], [0, 1]),
    matching('beginsWith', '@beginsWith %{tx.text}', ['b cd', 'ab c'], [0]),
    matching('contains', '@contains %{tx.text}', ['ab cd', 'B C'], [0]),
    matching(
      'validateByteRange',
      '@validateByteRange 9,10,13,32-126',
      ['plain\t', '\u007f', 'a\u0000', '', '\u00e9'],
      [1, 2, 4],
    ),
    matching('validateUrlEncoding', '@validateUrlEncoding', ['a%41', '%', '%4', '%zz', 'a+'], [1, 2, 3]),
    matching(
      'validateUtf8Encoding',
      '@validateUtf8Encoding',
      [
        '\u00c3\u00a9',
        '\u00c3',
        '\u00c3x',
        '\u00c0\u00af',
        '\u00ed\u00a0\u0080',
        '\u00f4\u0090\u0080\u0080',
        '\u00f0\u009f\u0098\u0080',
        'a',
      ],
      [1, 2, 3, 4, 5],
    ),
    matching('unconditionalMatch', '@unconditionalMatch', ['', 'x'], [0, 1]),
    matching('noMatch', '@noMatch', ['', 'x'], []),
    matching(
      'detectSQLi',
      '@detectSQLi',
      ["1' or '1'='1", 'union of workers', '-1 union select 1,2--'],
      [0, 2],
    ),
    matching('detectXSS', '@detectXSS', ['<script>alert(1)</script>', 'a < b', '" onload="x'], [0, 2]),
    matching('!', '!@rx ^a', ['a', 'b'], [1]),
    matching('!', '! @streq a', ['a', 'b'], [1], 'with a blank'),
    matching('no operator name', '^a', ['a', 'b'], [0], 'means @rx'),
    matching('no operator name', '!^a', ['a', 'b'], [1], 'negated'),
    matching('eq', '@EQ 5', ['5'], [0], 'names in any case'),
    address('ipMatch', '@ipMatch 127.0.0.1,::1', '::1', true),
    address('ipMatch', '@ipMatch 127.0.0.1,::1', '127.0.0.2', false),
    address('ipMatch', '@ipMatch 10.0.0.0/8, 2001:db8::/32', '2001:db8:ffff::1', true),
    address('ipMatch', '@ipMatch 10.0.0.0/8', '11.0.0.0', false),
    address('ipMatch', '@ipMatch 10.0.0.0/8', '::ffff:10.1.2.3', true),
    address('ipMatchFromFile', '@ipMatchFromFile nets.txt', '192.0.2.255', true),
    address('ipMatchFromFile', '@ipMatchF nets.txt', '192.0.3.0', false),
    address('geoLookup', '@geoLookup', '192.0.2.1', false),
    address('rbl', '@rbl sbl.example', '192.0.2.1', false),
  ],
)

/** The transformed value as message. */
function changing(
  item: string,
  list: string,
  value: string,
  want: string,
  shows = JSON.stringify(value),
): Row {
  return {
    item,
    shows,
    rules: `SecRule ARGS:v "@unconditionalMatch" "id:1,phase:2,${list},msg:'%{MATCHED_VAR}'"`,
    request: { target: `/?v=${escaped(value)}` },
    want: [`1 ${want}`],
  }
}

conform(
  'transformations',
  `none, urlDecodeUni, lowercase, jsDecode, htmlEntityDecode, utf8toUnicode, removeNulls, cssDecode, cmdLine, removeWhitespace,
   replaceComments, normalizePath, normalisePath, escapeSeqDecode, compressWhitespace, normalizePathWin, normalisePathWin, length,
   base64Decode, sha1, hexEncode, removeCommentsChar, urlDecode`,
  [
    changing('none', 't:lowercase,t:none', 'AB', 'AB'),
    changing('none', 't:none,t:lowercase', 'AB', 'ab'),
    changing('urlDecodeUni', 't:urlDecodeUni', '%41+%u0042%uff21%zz%u00', 'A BA%zz%u00'),
    changing('urlDecode', 't:urlDecode', '%41+%u0042%zz', 'A %u0042%zz'),
    changing('lowercase', 't:LowerCase', 'AZ\u00c9', 'az\u00c9'),
    changing('jsDecode', 't:jsDecode', '\\u0041\\uff21\\x42\\103\\n\\q', 'AABC\nq'),
    changing(
      'htmlEntityDecode',
      't:htmlEntityDecode',
      '&#x41;&#66&quot;&AMP;&lt&gt;&nbsp;&copy;',
      'AB"&<>\u00a0&copy;',
    ),
    changing('utf8toUnicode', 't:utf8toUnicode', 'a\u00c3\u00a9\u00ff', 'a%u00e9\u00ff'),
    changing('removeNulls', 't:removeNulls', 'a\u0000b', 'ab'),
    changing('cssDecode', 't:cssDecode', 'a\\62 c\\00064\\q\\\ne\\', 'abcdqe'),
    changing('cmdLine', 't:cmdLine', 'C^AT,  "/etc" (x', 'cat/etc(x'),
    changing('removeWhitespace', 't:removeWhitespace', 'a \t\u00a0\u000bb', 'ab'),
    changing('replaceComments', 't:replaceComments,t:hexEncode', 'a/*x*/b/*c', '61206220'),
    changing('normalizePath', 't:normalizePath', '../a//b/./c/../d', '../a/b/d'),
    changing('normalisePath', 't:normalisePath', '/a/../b', '/b'),
    changing('normalizePathWin', 't:normalizePathWin', '\\a\\..\\b', '/b'),
    changing('normalisePathWin', 't:normalisePathWin', 'a\\b', 'a/b'),
    changing('escapeSeqDecode', 't:escapeSeqDecode', '\\x41\\102\\t\\?', 'AB\t?'),
    changing('compressWhitespace', 't:compressWhitespace', 'a \t\u00a0b', 'a b'),
    changing('length', 't:length', 'a\u00c3\u00a9', '3'),
    changing('base64Decode', 't:base64Decode', 'QUJD*RA==', 'ABC'),
    changing('sha1', 't:sha1,t:hexEncode', 'abc', 'a9993e364706816aba3e25717850c26c9cd0d89d'),
    changing('hexEncode', 't:hexEncode', '\u00fe\u0001', 'fe01'),
    changing('removeCommentsChar', 't:removeCommentsChar', '/*a*/--b#<!--c-->', 'abc'),
  ],
)

describe('order of transformations', () => {
  it('is the written order, over every value of a request once', () => {
    const rules = `
      SecRule ARGS|ARGS_NAMES "@streq 61" "id:1,phase:2,t:none,t:lowercase,t:hexEncode"
      SecRule ARGS|ARGS_NAMES "@streq 41" "id:2,phase:2,t:none,t:hexEncode,t:lowercase"`
    assert.deepEqual(run(rules, { target: '/?x=A' }).matched, ['1', '2'])
    assert.deepEqual(run(rules, { target: '/?A=x' }).matched, ['1', '2'])
    assert.deepEqual(run(rules, { target: '/?a=x' }).matched, ['1'])
  })
})
