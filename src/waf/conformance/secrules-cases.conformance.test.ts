import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { bytesOfText } from '../../kit/bytes.ts'
import {
  type LanguageCase,
  languageCases,
  languageCasesFolder,
  languageCasesMissing,
} from '../testing/language-cases.ts'
import { run } from '../testing/requests.ts'

/** The SecLang test set, each case as a rule in a separate program, with its input as an argument. */

const counts = { operators: 199, transformations: 168 }

/** Results of ModSecurity 2's code that differ from the case's text: either is accepted. Input → hex. */
const contested: ReadonlyMap<string, string> = new Map([
  ['\\8\\9\\666\\xag\\xga\\0123', '3839b67861677867610a33'],
])

for (const [kind, count] of Object.entries(counts)) {
  describe(`SecLang test set: ${kind}`, { skip: languageCasesMissing }, () => {
    const cases = languageCasesMissing ? [] : languageCases(kind as keyof typeof counts)

    it(`has ${count} cases, none left out`, () => assert.equal(cases.length, count))

    for (const name of new Set(cases.map(row => row.name))) {
      const own = cases.filter(row => row.name === name)
      it(`${name}: ${own.length} cases`, () =>
        own.forEach(kind === 'operators' ? checkOperator : checkTransformation))
    }
  })
}

function checkOperator(row: LanguageCase): void {
  const parameter = row.name === 'pmFromFile' ? 'pmFromFile-01.dat' : (row.param ?? '')
  // A pattern in a rule file cannot contain a line feed.
  const written = bytesOfText(parameter).replaceAll('"', '\\"').replaceAll('\n', '\\n')
  const rules = `SecRule ARGS:v "@${row.name} ${written}" "id:1,phase:2"`
  assert.deepEqual(matched(rules, row.input), row.ret === 1 ? ['1'] : [], JSON.stringify(row))
}

function checkTransformation(row: LanguageCase): void {
  const rules = `SecRule ARGS:v "@unconditionalMatch" "id:1,phase:2,t:${row.name},t:hexEncode,msg:'%{MATCHED_VAR}'"`
  const want = Buffer.from(row.output ?? '', 'latin1').toString('hex')
  const got = matched(rules, row.input).join()
  if (got === `1 ${contested.get(row.input)}`) return
  assert.equal(got, `1 ${want}`.trim(), JSON.stringify(row))
}

function matched(rules: string, value: string): readonly string[] {
  const escaped = Buffer.from(value, 'latin1').toString('hex').replaceAll(/../g, '%$&')
  const readData = (name: string): string =>
    readFileSync(join(languageCasesFolder, 'operators/op', name), 'latin1')
  return run(rules, { target: `/?v=${escaped}` }, { readData }).matched
}
