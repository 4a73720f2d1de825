import type { BodyReader } from '../../src/waf/bodies/index.ts'
import { jsonReader, multipartReader, urlencodedReader, xmlReader } from '../../src/waf/bodies/index.ts'
import { holds, holdsInSlices, type Operator, operators } from '../../src/waf/operators/index.ts'
import { appliedInSlices, transformations } from '../../src/waf/transformations/index.ts'
import { Random } from '../support/random.ts'
import { figure, formatTable } from '../support/table.ts'
import { waitedMs } from '../support/waiting.ts'
import { bodyBytes, formEncode, jsonEncode } from './carriers.ts'
import { texts, xmlText } from './kinds.ts'

/** One step of the engine on a long value, as the engine runs it: with pauses, if there are any. */
interface Step {
  readonly name: string
  readonly run: (text: string) => Generator<void, unknown, void>
  /** Preparation of a text, outside of the time. */
  readonly prepare?: (text: string) => string
}

/** Bytes of a body that arrive at once, as from a socket. */
const partBytes = 64 * 1024
const warmRuns = 5
const noMacros = { expand: () => '', limitReached: () => {} }

/** Texts that pump detectors and transformations, besides the texts of the kinds. */
const units = [
  '&a',
  '/**/',
  '#',
  '1, ',
  '1 or ',
  '<a b=c ',
  'a=b ',
  '//',
  '../',
  '\xc3\xa9',
  '\\a',
  '%u',
  '-- \n',
  'lorem ipsum ',
]

/** Milliseconds of the longest stretch without a pause for each step, with the slowest text of 1 MiB. */
export function stepsTable(): string {
  const random = new Random()
  const inputs = [
    ...texts.map(([name, make]) => ({ name, text: flat(make(random).slice(0, bodyBytes)) })),
    ...units.map(unit => ({ name: unit, text: flat(unit.repeat(bodyBytes / unit.length)) })),
  ]
  const rows = steps().map(step => {
    const { prepare = (text: string) => text } = step
    const measured = inputs.map(({ name, text }) => ({ name, ...stretches(step, flat(prepare(text))) }))
    const worst = measured.reduce((a, b) => (b.warm > a.warm ? b : a))
    const cold = Math.max(...measured.map(one => one.cold))
    return { step: step.name, worst, cold }
  })
  rows.sort((a, b) => b.worst.warm - a.worst.warm)
  return formatTable(
    ['longest stretch, ms', 'warm', 'whole', 'first time', 'of'],
    rows.map(({ step, worst, cold }) => [
      step,
      ...[worst.warm, worst.whole, cold].map(figure),
      JSON.stringify(worst.name),
    ]),
  )
}

/** The first run is cold; of the others the best counts, because disturbances only make a run longer. */
function stretches(step: Step, text: string): { cold: number; warm: number; whole: number } {
  const cold = longest(step, text).longest
  let warm = { longest: Number.POSITIVE_INFINITY, whole: Number.POSITIVE_INFINITY }
  for (let run = 0; run < warmRuns; run++) {
    const { longest: stretch, whole } = longest(step, flat(text))
    warm = { longest: Math.min(warm.longest, stretch), whole: Math.min(warm.whole, whole) }
  }
  return { cold, warm: warm.longest, whole: warm.whole }
}

function longest({ run }: Step, text: string): { longest: number; whole: number } {
  const start = ownMs()
  let from = start
  let stretch = 0
  const work = run(text)
  for (;;) {
    const { done } = work.next()
    const now = ownMs()
    stretch = Math.max(stretch, now - from)
    from = now
    if (done === true) return { longest: stretch, whole: now - start }
  }
}

function steps(): readonly Step[] {
  return [
    ...[...transformations].map(([name, row]) => ({
      name: `t:${name}`,
      run: (text: string) => appliedInSlices(row, text),
    })),
    ...tests.map(([name, parameter]) => {
      const operator = compiled(name, parameter)
      return { name: `@${name}`, run: (text: string) => holdsInSlices(operator, false, text, noMacros) }
    }),
    ...captures.map(pattern => {
      const operator = compiled('rx', pattern)
      return { name: `captures of ${pattern}`, run: (text: string) => groupsOf(operator, text) }
    }),
    { name: 'form', prepare: text => `a=${formEncode(text)}`, run: body => read(urlencodedReader(), body) },
    { name: 'JSON', prepare: text => `{"a":"${jsonEncode(text)}"}`, run: body => read(jsonReader(), body) },
    {
      name: 'multipart',
      prepare: text => `--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n${text}\r\n--b--\r\n`,
      run: body => read(multipartReader('multipart/form-data; boundary=b', {}), body),
    },
    { name: 'XML', prepare: text => `<a>${xmlText(text)}</a>`, run: body => read(xmlReader(), body) },
  ]
}

const tests: readonly (readonly [operator: string, parameter: string])[] = [
  ['rx', '(?i)(?:union|select).{1,100}?(?:from|where)\\b.*?[^a-z]x{3}y'],
  ['pm', 'union select insert attack passwd ../ <!-- onload'],
  ['detectSQLi', ''],
  ['detectXSS', ''],
  ['contains', 'attack!'],
  ['containsWord', 'a'],
  ['validateByteRange', '0-255'],
  ['validateUrlEncoding', ''],
  ['validateUtf8Encoding', ''],
]

const captures: readonly string[] = ['(.*)(.)$', '([^a]*)(a+)?(.*)', '((?:[^\\w]|_)*)(\\w+)(.*)$']

function compiled(name: string, parameter: string): Operator {
  const outcome = operators.get(name)!(parameter, { readData: () => undefined })
  if (!outcome.ok) throw new Error(outcome.message)
  return outcome.operator
}

function* groupsOf(operator: Operator, text: string): Generator<void, void, void> {
  if (holds(operator, false, text, noMacros)) yield* drained(operator.groupsInSlices!(text, noMacros))
}

function* drained(work: Generator<void, unknown, void>): Generator<void, void, void> {
  yield* work as Generator<void, void, void>
}

function* read(reader: BodyReader<unknown>, body: string): Generator<void, void, void> {
  for (let from = 0; from < body.length; from += partBytes) {
    reader.write(flat(body.slice(from, from + partBytes)))
    yield
  }
  reader.end(true)
}

/** A separate string, as a parser would cut it out. */
function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}

function ownMs(): number {
  return performance.now() - waitedMs()
}
