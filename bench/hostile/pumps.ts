import type { Node } from '../../src/regex/syntax/ast.ts'
import { parsePattern } from '../../src/regex/syntax/parse.ts'
import type { RuleStatement, SourceFile, VariableSelector } from '../../src/seclang/index.ts'
import { parse } from '../../src/seclang/index.ts'
import type { Random } from '../support/random.ts'
import type { SampleRequest } from '../support/sample-request.ts'
import {
  bodyBytes,
  form,
  formEncode,
  formValue,
  getTarget,
  getWithOwn,
  headerBytes,
  multipart,
} from './carriers.ts'
import type { Kind } from './kinds.ts'
import { type Loop, loopsOf, Sampler } from './sampler.ts'

/** Pumped loops of one pattern. */
const loopsMax = 3

interface Pattern {
  readonly ruleId: number
  readonly root: Node
  readonly carry: (value: string) => SampleRequest
}

/**
 * Requests against the rules. For each `@rx` on requests: the text before a loop, then turns of the loop without an
 * end; and texts that match except for their last byte, repeated. They are sent to the rule's targets. Each name begins
 * with the rule's id.
 */
export function pumpsOf(sources: readonly SourceFile[]): readonly Kind[] {
  const patterns = patternsOf(sources)
  return [...patterns.flatMap(pumpsOfPattern), ofAllPatterns(patterns)]
}

function pumpsOfPattern({ ruleId, root, carry }: Pattern, index: number): readonly Kind[] {
  const name = (what: string) => `${ruleId} ${what} (pattern ${index + 1})`
  const loops = loopsOf(root).slice(0, loopsMax)
  return [
    { name: name('near misses'), make: random => carry(nearMisses(root, random, bodyBytes)) },
    ...loops.map((loop, i) => ({
      name: name(`loop ${i + 1}`),
      make: (random: Random) => carry(pumped(root, loop, random, bodyBytes)),
    })),
  ]
}

/** A loop of every pattern, each in a separate argument. */
function ofAllPatterns(patterns: readonly Pattern[]): Kind {
  const share = Math.floor(bodyBytes / patterns.length) - 8
  const argument = ({ root }: Pattern, random: Random): string => {
    const loop = loopsOf(root)[0]
    const value = loop === undefined ? nearMisses(root, random, share) : pumped(root, loop, random, share)
    return `a=${formEncode(value).slice(0, share)}`
  }
  return {
    name: 'all patterns, a loop of each',
    make: random => form(patterns.map(pattern => argument(pattern, random)).join('&')),
  }
}

function pumped(root: Node, { before, item }: Loop, random: Random, length: number): string {
  const sampler = new Sampler(root, random)
  const start = before.map(node => sampler.text(node)).join('')
  return start + repeated(() => sampler.text(item), length)
}

function nearMisses(root: Node, random: Random, length: number): string {
  const sampler = new Sampler(root, random)
  return repeated(() => sampler.text(root).slice(0, -1), length)
}

/** Short sampled turns are reused: making them should take less time than matching them. */
function repeated(turn: () => string, length: number): string {
  const turns = Array.from({ length: 500 }, turn)
  if (turns.every(text => text === '')) return 'x'.repeat(length)
  let text = ''
  for (let i = 0; text.length < length; i = (i * 7 + 3) % 499)
    text += turns[i]! + (turns[text.length % 500] ?? '')
  return text.slice(0, length)
}

/** Every pattern of a rule or link of phases 1 and 2, each text once. */
function patternsOf(sources: readonly SourceFile[]): readonly Pattern[] {
  const parsed = parse(sources)
  if (!parsed.ok) return []
  const patterns = new Map<string, Pattern>()
  for (const statement of parsed.value) {
    if (statement.kind !== 'rule' || isOfResponse(statement)) continue
    const ruleId = Number(statement.actions.find(action => action.name === 'id')?.value ?? 0)
    for (const { operator, variables } of [statement, ...statement.links]) {
      if (operator.name !== 'rx' || operator.parameter.includes('%{') || patterns.has(operator.parameter))
        continue
      const outcome = parsePattern(operator.parameter, { dialect: 'pcre' })
      if (!outcome.ok) continue
      patterns.set(operator.parameter, { ruleId, root: outcome.pattern.root, carry: carrierOf(variables) })
    }
  }
  return [...patterns.values()]
}

function isOfResponse({ actions }: RuleStatement): boolean {
  const phase = actions.find(action => action.name === 'phase')?.value ?? '2'
  return !['1', '2', 'request'].includes(phase)
}

/** The rule's longest target: a body, if it reads one. */
function carrierOf(variables: readonly VariableSelector[]): (value: string) => SampleRequest {
  const names = new Set(variables.filter(({ exclude, count }) => !exclude && !count).map(({ name }) => name))
  const header = variables.find(({ name, exclude }) => name === 'REQUEST_HEADERS' && !exclude)
  if (names.has('ARGS') || names.has('REQUEST_BODY')) return formValue
  if (names.has('FILES') || names.has('FILES_NAMES')) return fileName
  if (names.has('MULTIPART_PART_HEADERS')) return partHeader
  if (header !== undefined) {
    const name = header.selector.kind === 'key' ? header.selector.key : 'X-Pump'
    return value => getWithOwn(name, value)
  }
  if (names.has('REQUEST_COOKIES')) return value => getWithOwn('Cookie', `c=${value.replaceAll(';', ',')}`)
  if ([...names].some(name => name.startsWith('REQUEST_') && name !== 'REQUEST_METHOD'))
    return value => getTarget(`/${value.slice(0, headerBytes)}`)
  if (names.has('QUERY_STRING')) return value => getTarget(`/?${value.slice(0, headerBytes)}`)
  return formValue
}

function fileName(value: string): SampleRequest {
  const name = value.slice(0, 3900).replace(/["\\\r\n]/g, ' ')
  const head = `Content-Disposition: form-data; name="f"; filename="${name}"`
  return multipart(Array.from({ length: 30 }, () => ({ head, value: 'x' })))
}

function partHeader(value: string): SampleRequest {
  const line = value.slice(0, 3900).replace(/[\r\n]/g, ' ')
  const head = `Content-Disposition: form-data; name="f"\r\n${line}`
  return multipart(Array.from({ length: 30 }, () => ({ head, value: 'x' })))
}
