import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectSqli, detectXss, isSqli } from './index.ts'
import { ordinaryValues } from './testing/ordinary-values.ts'
import { scriptAttacks } from './testing/script-attacks.ts'
import { sqlAttacks } from './testing/sql-attacks.ts'
import { unusualInjections } from './testing/unusual-injections.ts'

test('finds SQL injections', () => {
  assert.deepEqual(
    sqlAttacks.filter(value => detectSqli(value) === null),
    [],
  )
})

test('finds script injections', () => {
  assert.deepEqual(
    scriptAttacks.filter(value => !detectXss(value)),
    [],
  )
})

test('lets ordinary values pass', () => {
  assert.deepEqual(
    ordinaryValues.filter(value => detectSqli(value) !== null || detectXss(value)),
    [],
  )
})

test('finds injections that are short, unusual, or made of many parts', () => {
  const missed = unusualInjections.filter(value => detectSqli(value) === null)
  assert.deepEqual(missed, [])
})

test('fingerprints', () => {
  const rows: [string, string | null][] = [
    ["' or 1=1--", 's&1c'],
    ['1 or 1=1', '1&1'],
    ["x') union all select null--", 's)UE1'],
    ['sleep(20)', 'f(1)'],
    ["';--", 's;c'],
    ["1' order by 7--", 'sB1c'],
    ['/*!50000select*/1', 'XE1'],
    ['1 = 1 OR 1', '1o1&1'],
    ['/* a */ 1 union/**/all select 1', '1UE1'],
    ["x\\' y z or 'a'='a", 'n&s'],
    ['this is not isqli', null],
    ['', null],
  ]
  for (const [value, want] of rows) {
    assert.equal(detectSqli(value), want, value)
    assert.equal(isSqli(value), want !== null, value)
  }
})

test('SQL: rows on both sides of the threshold', () => {
  const rows: [string, boolean][] = [
    // The value must leave its string …
    ["' or 1=1", true],
    ['or 1', false],
    // … SQL must follow at once, not a word …
    ["x' or 1=1--", true],
    ["x'y or me--", false],
    // … and it must state a condition.
    ["x' or y=z", true],
    ["x' or y", false],
    ["x' or 1", true],
    ['1 or 1', true],
    ['1 or 2', false],
    ['1 or 2--', true],
    // An operator alone between quotes computes with the string of the statement, also where prose was meant.
    ["the '-' sign", true],
    ["x'-'", true],
    ["the 'or' here", true],
    ["the 'or' 1", true],
    ["the 'if' here", false],
    // A comment after a closed string hides the rest. A mark with text after it is more likely a colour or an option.
    ["color: '#fff'", false],
    ["use '--help' for help", false],
    ["admin '#", true],
    ["admin'-- -", true],
    // A call and a function by name.
    ['sleep(5)', true],
    ['sleep (5)', true],
    [`sleep${' '.repeat(400)}(5)`, true],
    [`sleep${'/**/'.repeat(400)}(5)`, true],
    ['sleep (5 hours)', false],
    ['await sleep(5)', false],
    // Readings: `#` and `\'` are MySQL's, `--x` is not.
    ["x' or 1=1#y", true],
    ["x' or y--z", true],
    ["x\\' or 1=1--", true],
    // Queries and sentences.
    ['(select 1)', true],
    ['(select one)', false],
    ['select a from b', false],
    ['select a from b where c=1', true],
    ['1 union select a', true],
    ['a union select b', false],
    ['a; drop table b', true],
    ['a; drop table at once', false],
    // Deep nesting and long prefixes hide nothing.
    [`${'('.repeat(100)}1${')'.repeat(100)} or 1=1`, true],
    [`1 or ${'('.repeat(260)}1=1${')'.repeat(260)}`, true],
    [`1 or ${'('.repeat(50_000)}1=1${')'.repeat(50_000)}`, true],
    [`1 or ${'('.repeat(50_000)}1=1`, true],
    [`1 or ${'not '.repeat(50_000)}1=1`, true],
    [`1 or ${'case when '.repeat(10_000)}1=1`, true],
    [`1/*${'a'.repeat(100_000)}*/or/**/1=1`, true],
    [`1${'\n'.repeat(100_000)}or 1=1`, true],
    [`x${'a'.repeat(100_000)}' or 'a'='a`, true],
    [`${'red '.repeat(50_000)}' or 'a'='a`, true],
    [`${"rock 'n' roll, ".repeat(10_000)}1 union select a,1 from b`, true],
    [`${'1+'.repeat(1000)}1 or 1=1`, true],
    [`${'1,'.repeat(1000)}1 union select 1`, true],
    [`${'a '.repeat(1000)}or 1=1`, true],
    [`1${';'.repeat(500)}drop table a`, true],
    [`' or ${"'a' or ".repeat(300)}'1`, true],
  ]
  for (const [value, want] of rows) assert.equal(detectSqli(value) !== null, want, value.slice(0, 60))
})

test('HTML: rows on both sides of the threshold', () => {
  const rows: [string, boolean][] = [
    ['<link>', false],
    ['<link href=x>', true],
    ['<script', true],
    ['<scripture>', false],
    ['< script>', false],
    ['<b onclick>', false],
    ['<b onclick=>', true],
    ['<b online=1>', true],
    ['x online=1', false],
    ['x onclick=1', true],
    ['xonclick=1', false],
    ['"onclick=1', true],
    ["x'y onclick=1", true],
    ['</script>', false],
    ['<a href="https://x/javascript:">', false],
    ['<a href="data:image/png,x">', false],
    ['<a href="data:image/svg+xml,x">', true],
    ['<a title="javascript:x">', false],
    // Styles read pages, too. In a tag of the page, they are common.
    ['<p style="color:red">', true],
    ['x style=modern', false],
    ['" style="color:red', false],
    ['" style="x:expression(y)', true],
    ['" style="x:expressions', false],
    // The value may be a handler where the page left its tag open.
    ['onclick=x()', true],
    ['once=x', false],
    // Old browsers: backquotes, NUL, the next tag at `<`.
    ['<img src=`javascript:x()`>', true],
    ['<img src=`x`onerror=y()>', true],
    ['<scr\0ipt>', true],
    ['<\0img src=x onerror=y>', true],
    ['<script<x>', true],
    // Schemes that become whole later, and paths that only begin like them.
    ['<a href="jav&#97ascript:x()">', true],
    ['<a href="javascript#x()">', true],
    ['<a href="javascript/x.js">', false],
    ['<a href="java-course.html">', false],
    ['<x xmlns:a="b" a:c="d">', true],
    ['<a xlink:href="//x.test/">', true],
    ['<!-- x -->', false],
    ['<!-- <script> -->', false],
    ['<!-- --><script>', true],
    ['<!--[if IE]>', true],
    ['javascript:x()', true],
    ['javascript: x', false],
    ['javascript:', false],
    ['a:javascript:x()', false],
  ]
  for (const [value, want] of rows) assert.equal(detectXss(value), want, value)
})

test('long values of all kinds are read and do not affect the next value', () => {
  const units = [
    "'",
    '"',
    '`',
    '(',
    ')',
    '()',
    '/*',
    '/**/',
    '<a ',
    '<a>',
    '</a ',
    '<!--',
    '<!a>',
    'select ',
    'or ',
    '1 or ',
    '+',
    '1+',
    '--',
    '#',
    "\\'",
    '[',
    'a[',
    '$$',
    '&#',
    '=',
    'a=b ',
    'a="b"',
    'x on=1 ',
    '<a href="&#9;',
    '<a style="(/**/',
    'javascript:',
    '\xa0',
    '\\',
    '\0',
    '@',
    "@'",
    '$a$ $b$ ',
    "q'x ",
    'exec a ',
    '/* /*',
    '*/',
    '-- \n',
    '<a b=`',
    'a.',
    'f /*',
    '\'"`<a b=\'c\' d="e" (select 1) or 1 -- \n',
  ]
  const size = 1 << 18
  for (const unit of units) {
    const value = unit.repeat(Math.ceil(size / unit.length)).slice(0, size)
    detectSqli(value)
    detectXss(value)
    assert.equal(detectSqli("' or 1=1--"), 's&1c', unit)
    assert.equal(detectSqli("O'Brien"), null, unit)
    assert.equal(detectXss('"><img src=x onerror=y>'), true, unit)
    assert.equal(detectXss('<b>x = y</b>'), false, unit)
  }
})
