import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectSqli, detectXss } from '../../detect/index.ts'
import { ordinaryValues } from '../../detect/testing/ordinary-values.ts'
import { foundAgainstRequirements } from '../../detect/testing/requirements.ts'
import { crsCases, crsCasesMissing, stagesOf } from '../testing/crs-cases.ts'

/** The detectors on values after the transformations of the CRS rules. */

const sqlChain = ['utf8toUnicode', 'urlDecodeUni', 'removeNulls']
const scriptChain = [
  'utf8toUnicode',
  'urlDecodeUni',
  'htmlEntityDecode',
  'jsDecode',
  'cssDecode',
  'removeNulls',
]

const isSql = (value: string) => stagesOf(value, sqlChain).some(stage => detectSqli(stage) !== null)
const isScript = (value: string) => detectXss(stagesOf(value, scriptChain).at(-1)!)

test('lets ordinary values pass as the CRS transforms them', () => {
  assert.deepEqual(
    ordinaryValues.filter(value => isSql(value) || isScript(value)),
    [],
  )
})

test('cases of the CRS for the rules that use these operators', { skip: crsCasesMissing }, () => {
  const missed = [...crsCases('942'), ...crsCases('941')]
    .filter(({ rule, positive }) => positive && [942100, 942101, 941100, 941101].includes(rule))
    .filter(({ rule, values }) => !values.some(rule < 942000 ? isScript : isSql))
  assert.deepEqual(
    missed.map(({ name }) => name),
    [],
  )
})

/** Real injections that their own rule leaves to others, and two copies of an article that quotes injections. */
const injectionsAmongNegatives = new Set([
  '942160-12',
  '942350-9',
  '942360-29',
  '942360-30',
  '942360-31',
  '942520-17',
  '942521-15',
  '942521-16',
  '942522-5',
  '942522-8',
])

test('values that CRS rules must not match', { skip: crsCasesMissing }, () => {
  const negative = (family: '941' | '942') =>
    crsCases(family).filter(({ name, positive }) => !positive && !injectionsAmongNegatives.has(name))
  const alarms = [...negative('941'), ...negative('942')].filter(({ values }) =>
    values.some(value => isSql(value) || isScript(value)),
  )
  assert.deepEqual(
    alarms.map(({ name }) => name),
    [],
  )
})

test('detected values of the CRS cases meet the requirements', { skip: crsCasesMissing }, () => {
  const chain = ['utf8toUnicode', 'urlDecodeUni', 'htmlEntityDecode', 'jsDecode', 'cssDecode', 'removeNulls']
  for (const family of ['941', '942'] as const) {
    for (const { values } of crsCases(family)) {
      assert.deepEqual(foundAgainstRequirements(values.flatMap(value => stagesOf(value, chain))), [])
    }
  }
})
