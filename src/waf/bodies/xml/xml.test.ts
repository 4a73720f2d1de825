import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wafLimits } from '../../limits.ts'
import { readInAnyParts } from '../../testing/body-parts.ts'
import { xmlReader } from '../index.ts'

const read = (xml: string, complete?: boolean) => readInAnyParts(xmlReader, xml, complete)

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
    [`\xff\xfe${utf16('<a>', false)}\x3d\xd8x\x00\x00\xdc${utf16('</a>', false)}x`, '?x?', []],
    ['<!DOCTYPE a [<!- " -->" <?>?> <!--\'-->]><a>t</a>', 't', []],
    // The comment does not end with its own dashes: the document follows it.
    ['<!DOCTYPE a [<!--> ]><a>x</a><?p --> ]><b>t</b><?q ?>', 't', []],
    ['<!DOCTYPE a [ <!ELEMENT a "]>"> ]\n><a>t</a>', 't', []],
    ['<a><!----><!-- - -- ---><?a??>t</a>', 't', []],
    ['<a><![CDATA[]]]]><![CDATA[>]]></a>', ']]>', []],
    ['<a>\r\r\n&#13;\n</a>', '\r\n\r\n', []],
    ["<a x='\"' y='>/'>t</a>", 't', ['"', '>/']],
    ['<?xml-style encoding="UTF-7"?><a>t</a>', 't', []],
    ['<?xml version="1.0" encoding=\'Latin1\'?><a>t</a>', 't', []],
    ['', '', []],
    [' \n', '', []],
  ]
  for (const [xml, text, attributes] of rows) assert.deepEqual(read(xml), { text, attributes }, xml)
})

test('faults keep the part before them', () => {
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
    ['\xef\xbb\xbf<?xml version="1.0" encoding="UTF-7"?><a>t</a>', 't', []],
    ['<?a?><?xMl version="1.0"?><a/>', '', []],
    ['<!-- only -->', '', []],
    ['<!- -->', '', []],
    ['<!-->', '', []],
    ['<', '', []],
    ['\xef\xbb', '', []],
    ['\0\0\0<\0\0\0a', '', []],
  ]
  for (const [xml, text, attributes] of rows) {
    const parsed = read(xml)
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
    assert.equal(read(xml, false).error, undefined, xml)
  }
  assert.deepEqual(read('<a><b x="1', false).attributes, ['1'])
  assert.notEqual(read('<a></b><c>', false).error, undefined)
})

test('an encoding cannot hide at the end of a long declaration', () => {
  const declared = (bytes: number) =>
    `${'<?xml version="1.0" encoding="utf-8"'.padEnd(bytes - '?>'.length)}?><a>t</a>`
  assert.deepEqual(read(declared(256)), { text: 't', attributes: [] })
  assert.match(read(declared(257)).error ?? '', /the declaration is longer than 256 bytes/)
  assert.match(read(`<?xml ${' '.repeat(300)}`).error ?? '', /longer than/)
})

test('limits', () => {
  const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth)
  assert.equal(read(nested(wafLimits.xmlDepthMax)).error, undefined)
  assert.notEqual(read(nested(wafLimits.xmlDepthMax + 1)).error, undefined)
  const siblings = (count: number) => `<a>${'<b/>'.repeat(count - 1)}</a>`
  assert.equal(read(siblings(wafLimits.xmlElementsMax)).error, undefined)
  assert.notEqual(read(siblings(wafLimits.xmlElementsMax + 1)).error, undefined)
  const attributes = (count: number) => `<a>${'<b x="1"/>'.repeat(count)}</a>`
  assert.equal(read(attributes(wafLimits.xmlAttributesMax)).error, undefined)
  assert.notEqual(read(attributes(wafLimits.xmlAttributesMax + 1)).error, undefined)
  const wide = (count: number) => `<a ${Array.from({ length: count }, (_, i) => `x${i}=""`).join(' ')}/>`
  assert.equal(read(wide(wafLimits.xmlElementAttributesMax)).error, undefined)
  assert.notEqual(read(wide(wafLimits.xmlElementAttributesMax + 1)).error, undefined)
})
