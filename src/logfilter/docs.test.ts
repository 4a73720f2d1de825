import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { firewallEvents } from '../model/datasets/firewall-events.ts'
import { httpRequests } from '../model/datasets/http-requests.ts'
import { compileFilter } from './compile.ts'
import { filterKindOf } from './filterable.ts'
import { type FilterKind, operatorKinds } from './operators.ts'

const logpush = readFileSync(join(import.meta.dirname, '../../docs/reference/logpush.md'), 'utf8')
const page = /^## Filters$.*?(?=^## )/ms.exec(logpush)![0]

test('the program of the documentation prints the documented output', () => {
  const example = /```js\n(.*?)```/s.exec(page)![1]!
  const wanted = [...example.matchAll(/ \/\/ (.*)$/gm)].map(([, output]) => output)
  const entry = (module: string) => pathToFileURL(join(import.meta.dirname, '..', module, 'index.ts')).href
  const program = example.replaceAll(/'sluice\/(\w+)'/g, (_, module: string) => `'${entry(module)}'`)
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  assert.deepEqual(output.trim().split('\n'), wanted)
})

test('the examples of the documentation are filters', () => {
  const examples = [...page.matchAll(/`(\{"where":[^`]*\})`/g)].map(([, text]) => text!)
  assert.ok(examples.length >= 6)
  const criterion = '{"key":"BotScore","operator":"gt","value":0}'
  for (const example of examples) {
    const filter = example.replaceAll(/\b[XYZ]\b/g, criterion)
    const outcome = compileFilter(filter, httpRequests)
    assert.ok(outcome.ok, `${filter}: ${outcome.ok ? '' : outcome.problem.message}`)
  }
})

test('the documented table of operators matches the code', () => {
  const columns: readonly FilterKind[] = ['string', 'number', 'nanoseconds', 'bool', 'array']
  const said = new Map<string, readonly FilterKind[]>()
  for (const [, line] of page.matchAll(/^\| (`!?\w+`, .*) \|$/gm)) {
    const [operators, ...cells] = line!.split('|').map(cell => cell.trim())
    const kinds = columns.filter((_, column) => cells[column] === 'yes')
    for (const [, operator] of operators!.matchAll(/`([^`]+)`/g)) said.set(operator!, kinds)
  }
  assert.deepEqual([...said].sort(), [...operatorKinds].sort())
})

test('the fields without filters are all named', () => {
  const isObject = (type: string) => type === 'object' || type === 'array[object]'
  for (const dataset of [httpRequests, firewallEvents])
    for (const field of dataset.fields)
      if (filterKindOf(dataset, field) === 'none' && !isObject(field.type))
        assert.ok(page.includes(`\`${field.name}\``), field.name)
})
