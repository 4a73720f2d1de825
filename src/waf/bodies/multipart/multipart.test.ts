import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wafLimits } from '../../limits.ts'
import { readInAnyParts } from '../../testing/body-parts.ts'
import { type BodyOptions, multipartReader, type ParsedMultipart } from '../index.ts'

const read = (body: string, type: string, options?: BodyOptions, complete?: boolean) =>
  readInAnyParts(() => multipartReader(type, options), body, complete)

const TYPE = 'multipart/form-data; boundary=B'
const field = (name: string, value: string) =>
  `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const file = (name: string, filename: string, content: string) =>
  `--B\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: text/plain\r\n\r\n${content}\r\n`
const END = '--B--\r\n'
const withHeaders = (headers: string) => `--B\r\n${headers}\r\n\r\nv\r\n${END}`
const withDisposition = (disposition: string) => withHeaders(`Content-Disposition: ${disposition}`)

/** `a=1 b=2`, then errors and flags separated by blanks, after a bar. */
function summary(parsed: ParsedMultipart): string {
  const flags = Object.entries(parsed.flags).flatMap(([name, on]) => (on ? [name] : []))
  const args = parsed.args.map(({ name, value }) => `${name}=${value}`)
  const files = parsed.files.map(({ field, filenames, size }) => `${field}:${filenames.join('+')}:${size}`)
  const signs = [...(parsed.error === undefined ? [] : ['error']), ...flags]
  assert.equal(parsed.strictError, signs.length > 0)
  return `${[...args, ...files].join(' ')}|${signs.join(' ')}|${parsed.unmatchedBoundary}`
}

test('bodies', () => {
  const rows: [name: string, body: string, want: string][] = [
    ['fields', field('a', '1') + field('b', '2%41+') + END, 'a=1 b=2%41+||0'],
    ['a file', file('f', 'x.txt', 'abc\r\ndef') + END, 'f:x.txt:8||0'],
    ['an empty file name', file('f', '', '') + END, 'f= f::0||0'],
    ['an empty file name with content', file('f', '', 'a\r\nb') + END, 'f=a\r\nb f::4||0'],
    ['an empty field', field('a', '') + END, 'a=||0'],
    ['lines inside a field', field('a', '1\r\n2\n3\r\n') + END, 'a=1\r\n2\n3\r\n||0'],
    ['the last boundary without a line end', `${field('a', '1')}--B--`, 'a=1||0'],
    ['bare LF', (field('a', '1') + END).replaceAll('\r', ''), 'a=1|lfLine|0'],
    ['bare LF in a value', field('a', '1\n2') + END, 'a=1\n2||0'],
    ['data before', `x\r\n${field('a', '1')}${END}`, 'a=1|dataBefore|0'],
    ['data after', `${field('a', '1')}${END}x`, 'a=1|dataAfter|0'],
    ['an empty line after', `${field('a', '1')}${END}\r\n`, 'a=1|dataAfter|0'],
    ['no last boundary', field('a', '1'), 'a=1\r\n|error|1'],
    ['no boundary at all', 'x', '|error dataBefore|1'],
    ['an empty body', '', '|error|1'],
    ['dashes in a value', field('a', '-----BEGIN KEY') + END, 'a=-----BEGIN KEY||2'],
    ['dashes inside a line', field('a', 'x--B') + END, 'a=x--B||0'],
    ['a longer boundary', `${field('a', '1')}--BB\r\n${END}`, 'a=1\r\n--BB\r\n--B--\r\n|error|1'],
    ['blanks after a boundary', field('a', '1').replace('--B', '--B '), '|error|1'],
    ['a quoted boundary line', `${field('a', '1')}--"B"\r\n${END}`, 'a=1\r\n--"B"\r\n--B--\r\n|error|1'],
    ['blanks before a boundary', `${field('a', '1')}-- B--\r\n${END}`, 'a=1\r\n-- B--\r\n--B--\r\n|error|1'],
    [
      'many blanks before one',
      `${field('a', '1')}--${' '.repeat(99)}B\r\n${END}`,
      `a=1\r\n--${' '.repeat(99)}B\r\n--B--\r\n|error|1`,
    ],
    ['dashes on a line before', field('a', '--\r\nB') + END, 'a=--\r\nB||2'],
    ['dashes at the end of a value', field('a', '1\n-') + field('b', '-') + END, 'a=1\n- b=-||0'],
    ['a part without content', `--B\r\n${END}`, '|invalidPart|0'],
    [
      'headers that do not end',
      `--B\r\nContent-Disposition: form-data; name="a"\r\n${END}`,
      '|invalidPart|0',
    ],
    ['only the last boundary', END, '||0'],
    ['folding', withHeaders('Content-Disposition: form-data;\r\n name="a"'), 'a=v|headerFolding|0'],
    [
      'odd folding',
      withHeaders('Content-Disposition: form-data;\r\n\x0bname="a"'),
      'a=v|headerFolding invalidHeaderFolding|0',
    ],
    [
      'folding of nothing',
      withHeaders(' Content-Disposition: form-data; name="a"'),
      '|error headerFolding|1',
    ],
    ['no disposition', withHeaders('Content-Type: text/plain'), '|error|1'],
    [
      'two dispositions',
      withHeaders('Content-Disposition: form-data; name="a"\r\ncontent-disposition: form-data; name="b"'),
      '|error|1',
    ],
    ['no colon', withHeaders('Content-Disposition'), '|error|1'],
    ['no header name', withHeaders(': x'), '|error|1'],
    ['a control in a header name', withHeaders('\x0eContent-Disposition: form-data; name="a"'), '|error|1'],
    ['a blank in a header name', withHeaders('Content- Disposition: form-data; name="a"'), '|error|1'],
    ['! and ~ in a header name', withHeaders('X!~: 1\r\nContent-Disposition: form-data; name="a"'), 'a=v||0'],
    ['a NUL in a header', withHeaders('Content-Disposition: form-data; name="a\0"'), '|error|1'],
  ]
  for (const [name, body, want] of rows) assert.equal(summary(read(body, TYPE)), want, name)
})

test('Content-Disposition', () => {
  const rows: [disposition: string, want: string][] = [
    ['form-data; name=a', 'a=v||0'],
    ['form-data ; name = "a" ', 'a=v||0'],
    ['form-data; name="a;b=\\"c\\\\d\\e"', 'a;b="c\\d\\e=v||0'],
    ['form-data; name="a\'b"', "a'b=v||0"],
    ["form-data; name='a'", 'a=v|invalidQuoting|0'],
    ["form-data; name=a'b", "a'b=v|invalidQuoting|0"],
    ['form-data; filename="te;st.txt"; name="f"', 'f:te;st.txt:1||0'],
    ['form-data; name="f"; filename="te\\"st.txt"', 'f:te"st.txt:1||0'],
    ['form-data; name="f"; filename="1.j\\s\\p"', 'f:1.j\\s\\p:1||0'],
    ['form-data; name="f"; filename ="x"', '|error|1'],
    ['form-data; name="f"; filename*=UTF-8\'\'x%2ephp', 'f=v f:x.php:1||0'],
    ['form-data; name="f"; filename*="utf-8\'en\'%e2%82%ac"', 'f=v f:\xe2\x82\xac:1||0'],
    ['form-data; name="f"; filename="a.txt"; filename*=utf-8\'\'b.php', 'f:a.txt+b.php:1||0'],
    ['form-data; name="f"; filename=""; filename*=utf-8\'\'b.php', 'f=v f:+b.php:1||0'],
    ['form-data; name="f"; filename*=utf-8\'\'b%2', '|error|1'],
    ['form-data; name="f"; filename*=b.php', '|error|1'],
    ['form-data; name="f"; filename*=utf-16\'\'b', '|error|1'],
    ["form-data; name=\"f\"; filename*=utf-8''b; filename*=utf-8''c", '|error|1'],
    ['form-data; name="f"; filename*0=utf-8\'\'b', '|error invalidQuoting|1'],
    ['form-data; name="a"; name="b"', '|error|1'],
    ['form-data; name="a"; size=1', '|error|1'],
    ['form-data; name="a" x', '|error|1'],
    ['form-data; name="a""b"', '|error invalidQuoting|1'],
    ['form-data; name="a', '|error|1'],
    ['form-data; name=', '|error|1'],
    ['form-data; ', '|error|1'],
    ['form-data', '|error|1'],
    ['attachment; name="a"', '|error|1'],
  ]
  for (const [disposition, want] of rows) {
    assert.equal(summary(read(withDisposition(disposition), TYPE)), want, disposition)
  }
})

test('boundary in the Content-Type', () => {
  const body = field('a', '1') + END
  const rows: [type: string, want: string][] = [
    ['Multipart/Form-Data; boundary=B', 'a=1||0'],
    ['multipart/form-data; charset=utf-8; boundary=B; x=y', 'a=1||0'],
    ['multipart/form-data; boundary="B"', 'a=1|boundaryQuoted|0'],
    ['multipart/form-data; boundary = B', 'a=1|boundaryWhitespace|0'],
    ['multipart/form-data; boundary=B ', 'a=1|boundaryWhitespace|0'],
    ['multipart/form-data boundary=B', 'a=1|missingSemicolon|0'],
    ['multipart/form-data;; boundary=B', '|error|1'],
    ['multipart/form-data x; boundary=B', '|error|1'],
    ['multipart/form-data; x="y"; boundary=B', '|error|1'],
    ['multipart/form-data; boundary=B; x="y"', '|error|1'],
    ['multipart/form-data; Boundary=B', '|error|1'],
    ['multipart/form-data; boundary=B; boundary=C', '|error|1'],
    ['multipart/form-data; boundary=B; BOUNDARY*=C', '|error|1'],
    ['multipart/form-data; boundary=B; x=boundary', 'a=1||0'],
    ['multipart/form-data; x=boundary; boundary=B', '|error|1'],
    ['multipart/form-data; boundary=Boundary=B', '|error|1'],
    ['multipart/form-data; boundaryx=B', '|error|1'],
    ['multipart/form-data; boundary', '|error|1'],
    ['multipart/form-data; boundary=', '|error|1'],
    ['multipart/form-data; boundary=""', '|error boundaryQuoted|1'],
    ['multipart/form-data; boundary="B', '|error|1'],
    ['multipart/form-data; boundary=B"', '|error|1'],
    ['multipart/form-data; boundary=B,C', '|error dataBefore|1'],
    ['multipart/form-data; boundary=B\xe9', '|error|1'],
    ['multipart/form-data', '|error|1'],
    ['multipart/mixed; boundary=B', '|error|1'],
    [`multipart/form-data; boundary=${'B'.repeat(71)}`, '|error|1'],
    [`multipart/form-data; boundary=B${' '.repeat(1024)}`, '|error|1'],
  ]
  for (const [type, want] of rows) assert.equal(summary(read(body, type)), want, type)
  const browsers = '----WebKitFormBoundaryA1'
  const theirs = read(body.replaceAll('--B', `--${browsers}`), `${TYPE.slice(0, -1)}${browsers}`)
  assert.equal(summary(theirs), 'a=1||0', browsers)
  const long = 'B'.repeat(wafLimits.multipartBoundaryBytesMax)
  const parsed = read(`--${long}--`, `multipart/form-data; boundary=${long}`)
  assert.equal(parsed.error, undefined)
})

test('headers of parts', () => {
  const body = `${file('f', 'x', 'y')}--B\r\nX-A: 1\r\n folded\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n${END}`
  assert.deepEqual(read(body, TYPE).partHeaders, [
    { part: 'f', line: 'Content-Disposition: form-data; name="f"; filename="x"' },
    { part: 'f', line: 'Content-Type: text/plain' },
    { part: 'a', line: 'X-A: 1 folded' },
    { part: 'a', line: 'Content-Disposition: form-data; name="a"' },
  ])
  const broken = read(withHeaders('X-A: 1\r\nContent-Disposition\x0e: form-data; name="a"'), TYPE)
  assert.match(broken.error ?? '', /Invalid part header \(contains invalid character\)/)
  assert.deepEqual(
    broken.partHeaders.map(({ line }) => line),
    ['X-A: 1', 'Content-Disposition\x0e: form-data; name="a"'],
  )
})

test('a cut body ends without an error', () => {
  const whole = field('a', '1') + file('f', 'x.txt', 'content') + END
  for (let cut = 5; cut <= whole.length; cut++) {
    const parsed = read(whole.slice(0, cut), TYPE, {}, false)
    assert.equal(parsed.error, undefined, JSON.stringify(whole.slice(0, cut)))
    assert.notEqual(parsed.unmatchedBoundary, 1)
  }
  assert.notEqual(read(`${field('a', '1')}--BB\r\n`, TYPE, {}, false).error, undefined, 'a whole line')
  assert.equal(summary(read(field('a', '123').slice(0, -4), TYPE, {}, false)), 'a=1||0')
})

test('fields together have a limit of bytes', () => {
  const body = field('a', '12345') + file('f', 'x', '123456789') + field('b', '12345') + field('c', '1') + END
  const cut = read(body, TYPE, { fieldBytesMax: 9 })
  assert.deepEqual([summary(cut), cut.fieldsCut], ['a=12345 b=12 c= f:x:9||0', true])
  assert.equal(read(body, TYPE, { fieldBytesMax: 100 }).fieldsCut, false)
})

test('charsets of parts that rules cannot read', () => {
  const part = (type: string) =>
    read(withHeaders(`Content-Disposition: form-data; name="a"\r\n${type}`), TYPE).unreadCharset
  assert.equal(part('Content-Type: text/plain; charset=utf-8'), undefined)
  assert.equal(part('CONTENT-TYPE: text/plain; CharSet="UTF-16"'), 'utf-16')
  assert.equal(part('Content-Type: text/plain;\r\n\tcharset\r\n = ibm037'), 'ibm037')
  assert.equal(read(field('_charset_', 'UTF-7') + END, TYPE).unreadCharset, 'utf-7')
  assert.equal(read(field('_charset_', 'UTF-8') + END, TYPE).unreadCharset, undefined)
})

test('limits', () => {
  const many = (count: number, part: string, options?: BodyOptions) =>
    read(part.repeat(count) + END, TYPE, options)
  assert.equal(many(wafLimits.multipartFieldsMax, field('a', '1')).error, undefined)
  assert.notEqual(many(wafLimits.multipartFieldsMax + 1, field('a', '1')).error, undefined)
  assert.notEqual(many(3, field('a', '1'), { argumentsMax: 2 }).error, undefined)
  assert.equal(many(wafLimits.multipartFilesMax, file('f', 'x', '')).flags.fileLimitExceeded, false)
  const files = many(wafLimits.multipartFilesMax + 1, file('f', 'x', ''))
  assert.equal(files.flags.fileLimitExceeded, true)
  assert.equal(files.files.length, wafLimits.multipartFilesMax)
  const headers = (count: number) =>
    withHeaders(
      `Content-Disposition: form-data; name="a"${Array.from({ length: count - 1 }, (_, i) => `\r\nX-${i}: 1`).join('')}`,
    )
  assert.equal(read(headers(wafLimits.multipartPartHeadersMax), TYPE).error, undefined)
  assert.notEqual(read(headers(wafLimits.multipartPartHeadersMax + 1), TYPE).error, undefined)
  const line = (bytes: number) =>
    withHeaders(`X: ${'x'.repeat(bytes - 3)}\r\nContent-Disposition: form-data; name="a"`)
  assert.equal(read(line(wafLimits.multipartPartHeaderBytesMax), TYPE).error, undefined)
  assert.notEqual(read(line(wafLimits.multipartPartHeaderBytesMax + 1), TYPE).error, undefined)
})
