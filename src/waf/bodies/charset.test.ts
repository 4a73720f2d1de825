import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unreadCharset } from './charset.ts'

test('charsets with text that rules can read', () => {
  const types = [
    '',
    'text/plain',
    'text/plain; charset=utf-8',
    'text/plain;CHARSET=UTF-8',
    'text/plain; charset="utf-8"',
    "text/plain; charset='us-ascii'",
    'text/plain; charset = iso-8859-15',
    'text/plain; charset=windows-1252; x=y',
    'text/plain; charset=KOI8-R',
    'application/octet-stream; charset=binary',
    'text/plain; charset=',
    'text/plain; charset*=',
    'text/plain; charset*=utf-8',
    "text/plain; charset*=utf-8'en'utf-8",
    "text/plain; charset*=utf-8''",
    "text/plain; charset*=utf-8''utf-8 utf-7",
    "text/plain; charset*=utf-8''utf-8,utf-7",
    'text/plain; charset="utf-8"x',
    'text/plain; x-charset=utf-7',
    'text/plain; charsetter',
    'text/plain; charset*12345=utf-7',
  ]
  for (const type of types) assert.equal(unreadCharset(type), undefined, type)
})

test('charsets that hide text from rules, at any position where some reader finds them', () => {
  const types: [type: string, name: string][] = [
    ['text/plain; charset=utf-7', 'utf-7'],
    ['text/plain; CharSet=UTF-16', 'utf-16'],
    ['text/plain;charset="utf-16le"', 'utf-16le'],
    ['text/plain; charset = ibm037', 'ibm037'],
    ['text/plain; charset\t=\tcp037', 'cp037'],
    ['text/plain; charset=utf-8; charset=ibm500', 'ibm500'],
    ['text/plain, text/plain; charset=utf-32', 'utf-32'],
    ['text/plain; x="y; charset=ibm1026"', 'ibm1026'],
    ["text/plain; charset*=ibm037'en'x", 'ibm037'],
    ["text/plain; charset*=utf-8''utf-16", 'utf-16'],
    ["text/plain; charset*=utf-8'en'%75tf-16; x=y", '%75tf-16'],
    ['text/plain; charset*=utf-8\'\'"utf-7"', 'utf-7'],
    ["text/plain; charset*=''utf-16", 'utf-16'],
    ["text/plain; charset*0*=utf-8''; charset*1=utf-16", 'utf-16'],
    ['text/plain; charset*0=ibm037', 'ibm037'],
    ['text/plain; charset=iso-2022-jp', 'iso-2022-jp'],
    ['text/plain; charset=Shift_JIS', 'shift_jis'],
    ['text/plain; charset=hz-gb-2312', 'hz-gb-2312'],
    ['text/plain; charset=utf-80', 'utf-80'],
    ['text/plain charset=utf-7', 'utf-7'],
  ]
  for (const [type, name] of types) assert.equal(unreadCharset(type), name, type)
})

test('a long header of charsets inside one another takes no time', () => {
  const type = `text/plain; ${"charset*=utf-8'".repeat(20_000)}utf-8`
  const start = performance.now()
  assert.notEqual(unreadCharset(type), undefined)
  assert.ok(performance.now() - start < 200)
})
