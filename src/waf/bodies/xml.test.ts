import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wafLimits } from '../../kit/limits.ts'
import { parseXml } from './index.ts'

const utf16 = (text: string, bigEndian: boolean) => {
  const bytes = Buffer.from(text, 'utf16le')
  return (bigEndian ? bytes.swap16() : bytes).toString('latin1')
}

test('well-formed documents', () => {
  const rows: [string, string, string[]][] = [
    ['<a/>', '', []],
    [
      '<?xml version="1.0" encoding="UTF-8"?>\n<a x="1" y=\'2\'>t<b z="3">u</b>v</a>\n<!-- c -->',
      'tuv',
      ['1', '2', '3'],
    ],
    ['<a>&lt;&#x41;&#66;&#233;&amp;&quot;&apos;&gt;</a>', '<AB\xc3\xa9&"\'>', []],
    ['<a x="&quot;&#10;"/>', '', ['"\n']],
    ['<a><![CDATA[<b>&amp;]]>]]&gt;</a>', '<b>&amp;]]>', []],
    ['<a><?php x ?><!-- y -->z</a>', 'z', []],
    ['<a xmlns="urn:a" xmlns:b="urn:b" b:c="1"><b:d/></a>', '', ['1']],
    ['<a\n x = "1"\t></a >', '', ['1']],
    ['<!DOCTYPE a [<!ENTITY e "v>]"><!-- ] \' --><?p ]?>]><a>t</a>', 't', []],
    ['<!DOCTYPE a SYSTEM "http://host/>.dtd"><a/>', '', []],
    ['<a>l\r\nm</a>', 'l\nm', []],
    ['\xef\xbb\xbf<a>t</a>', 't', []],
    [`\xff\xfe${utf16('<a x="é">😀</a>', false)}`, '\xf0\x9f\x98\x80', ['\xc3\xa9']],
    [`\xfe\xff${utf16('<a>t</a>', true)}`, 't', []],
    [utf16('<a>t</a>', false), 't', []],
    [utf16('<a>t</a>', true), 't', []],
    ['<\xc3\xa9l\xc3\xa9ment>x</\xc3\xa9l\xc3\xa9ment>', 'x', []],
    ['', '', []],
    [' \n', '', []],
  ]
  for (const [xml, text, attributes] of rows) assert.deepEqual(parseXml(xml), { text, attributes }, xml)
})

test('faults keep what was read', () => {
  const rows: [string, string, string[]][] = [
    ['<a>t', 't', []],
    ['<a>t</b>', 't', []],
    ['<a>t</a>u', 't', []],
    ['<a>t</a><b>u</b>', 't', []],
    ['t', '', []],
    ['</a>', '', []],
    ['<a x="1" x="2"/>', '', ['1', '2']],
    ['<a x=1/>', '', []],
    ['<a x/>', '', []],
    ['<a x="1"y="2"/>', '', ['1']],
    ['<a x="<"/>', '', ['<']],
    ['<a x="1', '', ['1']],
    ['<1/>', '', []],
    ['< a/>', '', []],
    ['<a>&unknown;t</a>', '&unknown;t', []],
    ['<a>x & y</a>', 'x & y', []],
    ['<a>&#0;&#xD800;&#x110000;&#;&#xg;</a>', '&#0;&#xD800;&#x110000;&#;&#xg;', []],
    ['<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a x="&e;">&e;t</a>', '&e;t', ['&e;']],
    ['<!DOCTYPE a [', '', []],
    ['<a><!DOCTYPE a></a>', '', []],
    ['<a><!-- ', '', []],
    ['<a><![CDATA[t', 't', []],
    ['<a> <?xml version="1.0"?></a>', ' ', []],
    ['<a>\x01</a>', '\x01', []],
    ['<?xml version="1.0" encoding="UTF-7"?><a>t</a>', 't', []],
    ['<!-- only -->', '', []],
  ]
  for (const [xml, text, attributes] of rows) {
    const parsed = parseXml(xml)
    assert.deepEqual([parsed.text, parsed.attributes], [text, attributes], xml)
    assert.notEqual(parsed.error, undefined, xml)
  }
})

test('a cut body ends without an error', () => {
  for (const xml of [
    '<a>t',
    '<a><b x="1',
    '<a><b x',
    '<a><b',
    '<a>t</a',
    '<a><!-',
    '<a><!-- c',
    '<a><![CDATA[t',
    '<a>&am',
    '<!DOCTYPE a',
  ]) {
    assert.equal(parseXml(xml, { complete: false }).error, undefined, xml)
  }
  assert.deepEqual(parseXml('<a><b x="1', { complete: false }).attributes, ['1'])
  assert.notEqual(parseXml('<a></b><c>', { complete: false }).error, undefined)
})

test('limits', () => {
  const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth)
  assert.equal(parseXml(nested(wafLimits.xmlDepthMax)).error, undefined)
  assert.notEqual(parseXml(nested(wafLimits.xmlDepthMax + 1)).error, undefined)
  const siblings = (count: number) => `<a>${'<b/>'.repeat(count - 1)}</a>`
  assert.equal(parseXml(siblings(wafLimits.xmlElementsMax)).error, undefined)
  assert.notEqual(parseXml(siblings(wafLimits.xmlElementsMax + 1)).error, undefined)
  const attributes = (count: number) => `<a>${'<b x="1"/>'.repeat(count)}</a>`
  assert.equal(parseXml(attributes(wafLimits.xmlAttributesMax)).error, undefined)
  assert.notEqual(parseXml(attributes(wafLimits.xmlAttributesMax + 1)).error, undefined)
  const wide = (count: number) => `<a ${Array.from({ length: count }, (_, i) => `x${i}=""`).join(' ')}/>`
  assert.equal(parseXml(wide(wafLimits.xmlElementAttributesMax)).error, undefined)
  assert.notEqual(parseXml(wide(wafLimits.xmlElementAttributesMax + 1)).error, undefined)
})
