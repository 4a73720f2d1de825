import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ByteSet } from '../../regex/index.ts'
import { type TransformNode, TransformTrie } from '../program/transform-trie.ts'
import { StepLists, stepFacts } from './active-steps.ts'
import { kindsOf } from './byte-kinds.ts'
import { neededKinds } from './needed-kinds.ts'

const trie = new TransformTrie()
const node = (...names: string[]): TransformNode => trie.node(names) as TransformNode

const decoded = node('urlDecodeUni')
const decodedTwice = node('urlDecodeUni', 'urlDecodeUni')
const withoutNulls = node('removeNulls')
const decodedAfter = node('removeNulls', 'urlDecodeUni')
const spacedAfter = node('removeNulls', 'urlDecodeUni', 'compressWhitespace')
const spaced = node('urlDecodeUni', 'compressWhitespace')
const lower = node('lowercase')
const lowerDecoded = node('lowercase', 'urlDecodeUni')
const nodes = [
  decoded,
  decodedTwice,
  withoutNulls,
  decodedAfter,
  spacedAfter,
  spaced,
  lower,
  lowerDecoded,
].sort((a, b) => a.id - b.id)
/** One rule at each node, all with these literals. */
function listsFor(...literals: string[]): StepLists {
  const needed = neededKinds(literals.length === 0 ? [] : [{ kind: 'literals', literals }])
  const rules = nodes.map(at => ({ node: at, neededKinds: needed }))
  return new StepLists(nodes, rules as never, () => false)
}
const lists = listsFor()

function stepsFor(text: string, of = lists) {
  const { low, high } = kindsOf(ByteSet.of(Array.from(text, byte => byte.charCodeAt(0))))
  return of.of(low, high)
}

describe('the active steps of values', () => {
  it('are none if no step has a byte to change', () => {
    const steps = stepsFor('Words.')
    assert.deepEqual([steps.nodes, steps.others], [[], []])
  })

  it('are those with a byte to change, and all steps after them', () => {
    const steps = stepsFor('a%20')
    const active = nodes.filter(one => one !== withoutNulls && one !== lower)
    assert.deepEqual(steps.nodes, active)
    assert.deepEqual(
      steps.others.map(rule => rule.node),
      active,
    )
  })

  it('name the first node with the same result', () => {
    const { nodes: active, facts } = stepsFor('a%20')
    const sameAs = new Map(
      active.map((one, i) => [one, facts[i * stepFacts.count + stepFacts.sameAs]!] as const),
    )
    assert.equal(sameAs.get(decodedAfter), decoded.id)
    assert.equal(sameAs.get(spaced), spacedAfter.id)
    for (const one of [decoded, decodedTwice, lowerDecoded]) assert.equal(sameAs.get(one), 0)
  })

  it('are only those before a rule that may match', () => {
    const calls = listsFor('eval(', '${x}')
    for (const text of ['', 'Words, words', '12.34', '(1)  ', '\0eval'])
      assert.deepEqual(stepsFor(text, calls).nodes, [], text)
    assert.deepEqual(stepsFor('\0eval(', calls).nodes, [withoutNulls, decodedAfter, spacedAfter])
    assert.deepEqual(stepsFor('%', calls).nodes, stepsFor('%').nodes)
  })

  it('name the results that some rule may match', () => {
    const rules = [{ node: spacedAfter, neededKinds: neededKinds([]) }]
    const some = new StepLists([withoutNulls, decodedAfter, spacedAfter], rules as never, () => true)
    const { nodes: active, facts, others } = stepsFor('\0', some)
    const tested = active.map((_, i) => facts[i * stepFacts.count + stepFacts.flags]! & 4)
    assert.deepEqual([active, tested, others], [[withoutNulls, decodedAfter, spacedAfter], [0, 0, 4], []])
  })

  it('differ by the kinds of bytes', () => {
    assert.deepEqual(stepsFor('\0').nodes, [withoutNulls, decodedAfter, spacedAfter])
    assert.equal(stepsFor('\0'), stepsFor('\0'))
  })
})
