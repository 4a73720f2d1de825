import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { formatDiagnostic } from '../kit/diagnostic.ts'
import type { Action, Selector, SourceFile, Statement, VariableSelector } from './ast.ts'
import { seclangLimits } from './limits.ts'
import { parse } from './parse.ts'

const casesDir = join(import.meta.dirname, 'cases')
const separator = '----------\n'

for (const name of readdirSync(casesDir)) {
  test(`case ${name}`, () => {
    const path = join(casesDir, name)
    const text = readFileSync(path, 'latin1')
    const end = text.indexOf(separator)
    const input = text.slice(0, end)
    const outcome = parse([{ name: 'x.conf', text: input }])
    const got = outcome.ok
      ? printed(outcome.value)
      : `${outcome.diagnostics.map(formatDiagnostic).join('\n')}\n`
    if (process.env['UPDATE'] === '1') writeFileSync(path, input + separator + got, 'latin1')
    else assert.equal(got, text.slice(end + separator.length))
  })
}

test('line ends, byte order mark and the end of the file', () => {
  const rows: readonly { name: string; text: string; want: number }[] = [
    { name: 'empty', text: '', want: 0 },
    { name: 'only a comment', text: '# x', want: 0 },
    { name: 'CRLF', text: 'SecRule ARGS \\\r\n "@rx a" \\\r\n "id:1"\r\nSecMarker A\r\n', want: 2 },
    { name: 'byte order mark', text: '\u00ef\u00bb\u00bfSecMarker A', want: 1 },
    { name: 'backslash at the end of the file', text: 'SecMarker A \\', want: 0 },
    { name: 'continuation into the end of the file', text: 'SecMarker A \\\n', want: 0 },
    { name: 'comment after a continued line', text: 'SecMarker \\\n A\n#\nSecMarker B', want: 2 },
  ]
  for (const { name, text, want } of rows) {
    const outcome = parse([{ name: 'x.conf', text }])
    assert.equal(outcome.ok ? outcome.value.length : 0, want, name)
  }
})

test('the same id in two files is reported with the position of the first', () => {
  const rule = 'SecRule ARGS "@rx a" "id:7"\n'
  const outcome = parse([
    { name: 'a.conf', text: rule },
    { name: 'b.conf', text: `\n${rule}` },
  ])
  assert.ok(!outcome.ok)
  assert.deepEqual(outcome.diagnostics.map(formatDiagnostic), [
    'b.conf:2:23: another rule has the id 7 already (the first one is at a.conf:1)',
  ])
})

test('mistakes are collected up to the limit', () => {
  for (const count of [
    seclangLimits.diagnosticsMax - 1,
    seclangLimits.diagnosticsMax,
    seclangLimits.diagnosticsMax + 1,
  ]) {
    const outcome = parse([{ name: 'x.conf', text: 'Nonsense x\n'.repeat(count) }])
    assert.ok(!outcome.ok)
    assert.equal(outcome.diagnostics.length, Math.min(count, seclangLimits.diagnosticsMax))
  }
})

test('a source above the limit is refused, one at the limit is read', () => {
  for (const [extra, ok] of [
    [0, true],
    [1, false],
  ] as const) {
    const text = '#'.repeat(seclangLimits.sourceBytesMax + extra)
    assert.equal(parse([{ name: 'x.conf', text }]).ok, ok)
  }
})

test('a chain may have as many links as the limit says', () => {
  for (const [links, ok] of [
    [seclangLimits.chainLinksMax, true],
    [seclangLimits.chainLinksMax + 1, false],
  ] as const) {
    const text =
      'SecRule ARGS "@rx a" "id:1,chain"\n' +
      'SecRule ARGS "@rx a" "chain"\n'.repeat(links - 1) +
      'SecRule ARGS "@rx a"\n'
    assert.equal(parse([{ name: 'x.conf', text }]).ok, ok, `${links} links`)
  }
})

test('included files take the position of Include', () => {
  const files: Readonly<Record<string, readonly SourceFile[]>> = {
    'more/*.conf': [
      { name: 'more/a.conf', text: 'SecMarker A' },
      { name: 'more/b.conf', text: 'IncludeOptional missing.conf\nSecMarker B' },
    ],
  }
  const asked: string[] = []
  const outcome = parse([{ name: 'x.conf', text: 'SecMarker 1\nInclude more/*.conf\nSecMarker 2' }], {
    include: (path, from) => {
      asked.push(`${path} from ${from}`)
      return files[path]
    },
  })
  assert.ok(outcome.ok)
  assert.deepEqual(
    outcome.value.map(s => (s.kind === 'marker' ? s.name : s.kind)),
    ['1', 'A', 'B', '2'],
  )
  assert.deepEqual(asked, ['more/*.conf from x.conf', 'missing.conf from more/b.conf'])
})

test('as many files may be loaded as the limit says', () => {
  for (const [included, codes] of [
    [seclangLimits.sourcesMax - 1, []],
    [seclangLimits.sourcesMax, ['too-many-sources']],
    [seclangLimits.sourcesMax * 10, ['too-many-sources']],
  ] as const) {
    const many = Array.from({ length: included }, (_, i) => ({ name: `m/${i}.conf`, text: '' }))
    const outcome = parse([{ name: 'x.conf', text: 'Include m/*.conf' }], { include: () => many })
    assert.deepEqual(outcome.ok ? [] : outcome.diagnostics.map(d => d.code), codes, `${included} files`)
  }
})

test('a file that is missing or includes itself is refused', () => {
  const itself = { name: 'x.conf', text: 'Include x.conf' }
  const rows = [
    { resolve: () => undefined, want: 'include-not-found' },
    { resolve: () => [itself], want: 'include-too-deep' },
  ]
  for (const { resolve, want } of rows) {
    const outcome = parse([itself], { include: resolve })
    assert.ok(!outcome.ok)
    assert.deepEqual(
      outcome.diagnostics.map(d => d.code),
      [want],
    )
  }
})

test('any bytes are read without an exception', () => {
  let seed = 20260101
  const random = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff
    return seed % below
  }
  const pieces = [
    'SecRule ',
    'SecAction ',
    'ARGS',
    '|',
    ':',
    "'",
    '"',
    '\\',
    '\n',
    '/',
    '!',
    '&',
    '@rx ',
    'id:1',
    ',',
    't:none',
    'chain',
    '\u00ff',
    ' ',
  ]
  for (let round = 0; round < 3000; round++) {
    let text = ''
    for (let i = random(30); i > 0; i--) text += pieces[random(pieces.length)]
    const outcome = parse([{ name: 'x.conf', text }])
    if (outcome.ok) continue
    const lines = text.split('\n').length
    for (const d of outcome.diagnostics) {
      assert.ok(
        d.line >= 1 && d.line <= lines && d.column >= 1 && d.length >= 1,
        `${JSON.stringify(text)} ${d.code}`,
      )
    }
  }
})

const crsDir = join(import.meta.dirname, '../../../shared/crs')
for (const [version, heads, links, actions] of [
  ['4.28.0', 622, 73, 8],
  ['3.3.10', 629, 166, 10],
] as const) {
  const absent = existsSync(join(crsDir, version)) ? false : `no CRS ${version} in ../shared/crs`
  test(`CRS ${version} is read without a diagnostic`, { skip: absent }, () => {
    const rules = join(crsDir, version, 'rules')
    const names = readdirSync(rules)
      .filter(name => name.endsWith('.conf'))
      .sort()
    const paths = [join(crsDir, version, 'crs-setup.conf.example'), ...names.map(name => join(rules, name))]
    const outcome = parse(paths.map(path => ({ name: path, text: readFileSync(path, 'latin1') })))
    assert.deepEqual(outcome.ok ? [] : outcome.diagnostics, [])
    assert.ok(outcome.ok)
    const rulesFound = outcome.value.filter(s => s.kind === 'rule')
    assert.equal(rulesFound.length, heads)
    assert.equal(
      rulesFound.reduce((sum, rule) => sum + rule.links.length, 0),
      links,
    )
    assert.equal(outcome.value.filter(s => s.kind === 'action').length, actions)
  })
}

function printed(statements: readonly Statement[]): string {
  return statements.map(s => printedStatement(s, '')).join('')
}

function printedStatement(s: Statement, indent: string): string {
  const at = `${s.span.line}:${s.span.column}`
  if (s.kind === 'marker') return `${indent}marker ${s.name} at ${at}\n`
  const lines = [`${s.kind === 'directive' ? `${s.name} ${JSON.stringify(s.arguments)}` : s.kind} at ${at}`]
  for (const v of (s.kind === 'action' ? undefined : s.variables) ?? [])
    lines.push(`  variable ${printedTarget(v)}`)
  if (s.kind === 'rule') {
    const { negated, name, parameter, span } = s.operator
    lines.push(
      `  operator ${negated ? '!' : ''}${name} ${JSON.stringify(parameter)} at ${span.line}:${span.column}`,
    )
  }
  for (const a of s.actions ?? []) lines.push(`  action ${printedAction(a)}`)
  const own = lines.map(line => `${indent}${line}\n`).join('')
  return s.kind === 'rule' ? own + s.links.map(link => printedStatement(link, `${indent}    `)).join('') : own
}

function printedTarget(v: VariableSelector): string {
  const at = `${v.span.line}:${v.span.column}+${v.span.length}`
  return `${v.exclude ? '!' : ''}${v.count ? '&' : ''}${v.name}${printedSelector(v.selector)} at ${at}`
}

function printedSelector(s: Selector): string {
  if (s.kind === 'all') return ''
  if (s.kind === 'key') return `:key ${s.key}`
  return s.kind === 'regex' ? `:regex ${s.pattern}` : `:xpath ${s.path}`
}

function printedAction(a: Action): string {
  return `${a.name}${a.value === undefined ? '' : ` ${JSON.stringify(a.value)}`} at ${a.span.line}:${a.span.column}`
}
