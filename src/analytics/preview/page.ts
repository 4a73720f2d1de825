import { recordFields } from '../../bus/index.ts'
import { compilePartial, WorkExceededError } from '../../expressions/index.ts'
import { assert } from '../../kit/assert.ts'
import { previewLimits } from '../../kit/limits.ts'
import type { LogRecord } from '../../model/dataset.ts'
import { findEvents } from '../queries/events.ts'
import type { Reader } from '../queries/reader.ts'
import type { EventPlace } from '../types.ts'
import { eventScheme } from './event-scheme.ts'
import { EventView } from './event-view.ts'
import { outcomeOf, type ReadySkip, readySkip, type SkipOutcome } from './outcome.ts'
import type { PreviewExample, PreviewOutcome, PreviewPage, PreviewQuestion } from './types.ts'

type Test = (view: EventView) => boolean | ReadonlySet<string>

/**
 * Replays some recorded events against a skip rule that is not there yet. A page is short, so that other questions have
 * their turn between two; an expression that is slow makes it shorter.
 */
export function previewPage(reader: Reader, zoneId: string, question: PreviewQuestion): PreviewPage {
  const compiled = compilePartial(question.expression, eventScheme(question.lists))
  assert(compiled.ok, 'the expression was checked before')
  const skip = readySkip(question.skip, question.lastRules)
  const { range, before } = question
  const { events, next } = findEvents(reader, zoneId, {
    range,
    filter: {},
    limit: previewLimits.pageEvents,
    ...(before === undefined ? {} : { before }),
  })
  const tally = new Tally()
  const untilMs = performance.now() + previewLimits.pageMs
  for (const { place, record } of events) {
    tally.add(place, recordFields(record), compiled.test, skip)
    if (performance.now() > untilMs && place !== events.at(-1)!.place) return tally.page(place)
  }
  return tally.page(next)
}

class Tally {
  #events = 0
  #matched = 0
  readonly #outcomes: Record<PreviewOutcome, number> = {
    let_through: 0,
    possibly_let_through: 0,
    still_held_up: 0,
    not_held_up: 0,
    unaffected: 0,
    undecided: 0,
  }
  readonly #unknownFields: Record<string, number> = {}
  readonly #examples: PreviewExample[] = []

  add(place: EventPlace, fields: LogRecord, test: Test, skip: ReadySkip): void {
    const skipped = outcomeOf(fields, skip)
    if (skipped === undefined) return
    this.#events++
    const matches = evaluate(test, fields)
    if (matches === false) return
    if (matches === true) {
      this.#matched++
      this.#count(place, fields, skipped, skipped.outcome, [])
      return
    }
    // Whether the expression holds matters only where something would come of it.
    if (skipped.outcome !== 'let_through' && skipped.outcome !== 'possibly_let_through') return
    const names = [...matches].sort()
    for (const name of names) this.#unknownFields[name] = (this.#unknownFields[name] ?? 0) + 1
    this.#count(place, fields, skipped, 'undecided', names)
  }

  page(next: EventPlace | undefined): PreviewPage {
    return {
      events: this.#events,
      matched: this.#matched,
      outcomes: this.#outcomes,
      unknownFields: this.#unknownFields,
      examples: this.#examples,
      next,
    }
  }

  #count(
    place: EventPlace,
    fields: LogRecord,
    skipped: SkipOutcome,
    outcome: PreviewOutcome,
    unknownFields: readonly string[],
  ): void {
    if (this.#outcomes[outcome]++ < previewLimits.examplesPerOutcome)
      this.#examples.push(exampleOf(place, fields, { ...skipped, outcome, unknownFields }))
  }
}

/** As at the edge, an expression that costs too much does not match. */
function evaluate(test: Test, fields: LogRecord): boolean | ReadonlySet<string> {
  try {
    return test(new EventView(fields))
  } catch (error) {
    if (error instanceof WorkExceededError) return false
    throw error
  }
}

function exampleOf(
  place: EventPlace,
  fields: LogRecord,
  found: Pick<
    PreviewExample,
    'outcome' | 'score' | 'remainingScore' | 'threshold' | 'rules' | 'unknownFields'
  >,
): PreviewExample {
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '')
  const { outcome, score, remainingScore, threshold, rules, unknownFields } = found
  return {
    place,
    outcome,
    timeMs: place.timeMs,
    ray: text('RayID'),
    client: text('ClientIP'),
    country: text('ClientCountry'),
    host: text('ClientRequestHost'),
    method: text('ClientRequestMethod'),
    path: text('ClientRequestPath'),
    action: text('Action'),
    rule: text('RuleID'),
    score,
    remainingScore,
    threshold,
    rules,
    unknownFields,
  }
}
