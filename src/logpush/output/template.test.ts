import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTemplate } from './template.ts'

/** Fields as <name>, so that a template's pieces are one text. */
function read(template: string): string {
  const outcome = parseTemplate(template)
  assert.ok(outcome.ok, JSON.stringify(outcome))
  return outcome.pieces.map(piece => (piece.kind === 'text' ? piece.text : `<${piece.name}>`)).join('')
}

test('fields, constants, comments and the text around them', () => {
  const rows: [string, string][] = [
    ['', ''],
    ['plain { text } }}', 'plain { text } }}'],
    ['{{.RayID}}', '<RayID>'],
    ['{{ .RayID }}', '<RayID>'],
    ['{{\n.RayID\t}}', '<RayID>'],
    ['"ip":{{ .ClientIP }},"ray":{{.RayID}}', '"ip":<ClientIP>,"ray":<RayID>'],
    ['{{ "{{" }}{{.A}}{{ `}}` }}', '{{<A>}}'],
    ['{{"a\\n\\t\\"\\\\\\u00e9\\U0001F600"}}', 'a\n\t"\\é\u{1f600}'],
    ['{{"\\U0010FFFF\\ud7ff\\ue000"}}', '\u{10ffff}\ud7ff\ue000'],
    ['{{`raw \\n "text"`}}', 'raw \\n "text"'],
    ['a{{/* not }} shown */}}b', 'ab'],
    ['{{/**/}}', ''],
    ['{{.A}}}', '<A>}'],
    ['{ {.A}}', '{ {.A}}'],
    ['{{.A_1}}', '<A_1>'],
  ]
  for (const [template, want] of rows) assert.equal(read(template), want, template)
})

test('literal text is one piece, however it is written', () => {
  assert.deepEqual(parseTemplate('a{{"b"}}{{/* c */}}d'), {
    ok: true,
    pieces: [{ kind: 'text', text: 'abd' }],
  })
})

test('an invalid template is refused with its position', () => {
  const rows: [string, RegExp][] = [
    ['{{', /not closed, at character 3$/],
    ['{{ .A', /not closed, at character 6$/],
    ['{{ .A }', /expected "}}".*at character 7$/],
    ['{{ .A .B }}', /one field, one text or one comment, at character 7$/],
    ['{{ .A.B }}', /at character 6$/],
    ['{{ . }}', /name of a field after the dot, at character 5$/],
    ['{{ .1 }}', /name of a field after the dot/],
    ['{{}}', /expected \.Field.*at character 3$/],
    ['{{ if .A }}', /functions and conditions are not available, at character 4$/],
    ['{{ .A | printf "%s" }}', /expected "}}"/],
    ['{{- .A }}', /trimming blanks.*at character 3$/],
    ['{{ .A -}}', /expected "}}"/],
    ['{{ "a }}', /without its closing quote, at character 4$/],
    ['{{ "a\nb" }}', /without its closing quote/],
    ['{{ `a }}', /closing backquote, at character 4$/],
    ['{{ "\\q" }}', /escape that is not known, at character 5$/],
    ['{{ "\\ud800" }}', /escape that is not known/],
    ['{{ "\\U00110000" }}', /escape that is not known/],
    ['{{ "\\', /escape that is not known/],
    ['{{/* a }}', /comment that is not closed, at character 3$/],
    ['{{{ .A }}', /at character 3$/],
  ]
  for (const [template, message] of rows) {
    const outcome = parseTemplate(template)
    assert.ok(!outcome.ok, template)
    assert.match(outcome.message, message)
  }
})

test('any text is a template or is refused', () => {
  const pieces = ['{{', '}}', '.A', '"', '`', '\\', '/*', '*/', '-', ' ', '\n', 'x', '\\n']
  let state = 1
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  for (let round = 0; round < 10_000; round++) {
    const template = Array.from({ length: next(10) }, () => pieces[next(pieces.length)]).join('')
    const outcome = parseTemplate(template)
    if (!outcome.ok) {
      const at = Number(/at character (\d+)$/.exec(outcome.message)?.[1])
      assert.ok(at >= 1 && at <= template.length + 1, `${JSON.stringify(template)}: ${outcome.message}`)
    }
  }
})
