import { operators } from '../../src/waf/operators/index.ts'
import { transformations } from '../../src/waf/transformations/index.ts'
import type { Mutation } from './mutation.ts'

/** Mistakes in every row of the tables of transformations and operators. */

const transformationTests = [
  'src/waf/transformations/transformations.test.ts',
  'src/waf/transformations/properties.test.ts',
  'src/waf/gate.differential.test.ts',
]

const operatorTests = [
  'src/waf/operators/operators.test.ts',
  'src/waf/operators/requirements.test.ts',
  'src/waf/secrules-operators.conformance.test.ts',
]

/** Behind both tables. */
const place = 'const canonicalNames: ReadonlyMap<string, string> = new Map('

/** They never match as it is. */
const silent = new Set(['noMatch', 'geoLookup', 'rbl'])
/** Some value of theirs is ruled out without being tested. */
const demanding = new Set(
  `beginsWith contains containsWord detectSQLi detectXSS endsWith pm pmFromFile pmf rx rxGlobal streq strmatch
   validateByteRange validateUrlEncoding validateUtf8Encoding verifyCC verifySSN`.split(/\s+/),
)
const capturing = new Set('detectSQLi detectXSS pm pmFromFile pmf rx rxGlobal verifyCC verifySSN'.split(' '))

function inTransformation(name: string, what: string, change: string): Mutation {
  return {
    name: `transformation ${name}: ${what}`,
    file: 'src/waf/transformations/table.ts',
    find: place,
    replace: `Object.assign(transformations.get('${name}')!, ${change})\n\n${place}`,
    tests: transformationTests,
  }
}

function ofTransformation(name: string): Mutation[] {
  const { triggers, foldsCase, grows, reaches } = transformations.get(name)!
  const mutations = [inTransformation(name, 'is off', '{ apply: (value: string) => value }')]
  const has = (what: string, change: string): void => {
    mutations.push(inTransformation(name, what, change))
  }
  // What folds case and does nothing else has no triggers.
  if (triggers === undefined || triggers.members.includes(1)) has('is skipped', '{ triggers: new ByteSet() }')
  if (foldsCase) has('is not known to fold case', '{ foldsCase: false }')
  if (grows) has('is not known to grow', '{ grows: false }')
  if (reaches !== undefined) has('reaches no length', '{ reaches: () => false }')
  return mutations
}

function inOperator(name: string, what: string, change: string): Mutation {
  return {
    name: `operator ${name}: ${what}`,
    file: 'src/waf/operators/table.ts',
    find: place,
    replace: `function mistaken(make: OperatorFactory): OperatorFactory {
      return (parameter, context) => {
        const made = make(parameter, context)
        return made.ok ? { ok: true, operator: { ...made.operator, ${change} } } : made
      }
    }
    ;(operators as Map<string, OperatorFactory>).set('${name}', mistaken(operators.get('${name}')!))

${place}`,
    tests: operatorTests,
  }
}

function ofOperator(name: string): Mutation[] {
  const tooMuch = "requirements: [...made.operator.requirements, { kind: 'literals', literals: ['zz'] }]"
  return [
    ...(silent.has(name) ? [] : [inOperator(name, 'never matches', 'test: () => false')]),
    ...(name === 'unconditionalMatch'
      ? []
      : [inOperator(name, 'always matches', 'test: () => true, requirements: []')]),
    ...(demanding.has(name) ? [inOperator(name, 'requires too much', tooMuch)] : []),
    ...(capturing.has(name) ? [inOperator(name, 'captures nothing', 'groups: () => []')] : []),
  ]
}

export const tableMutations: readonly Mutation[] = [
  ...[...transformations.keys()].flatMap(ofTransformation),
  ...[...operators.keys()].flatMap(ofOperator),
]
