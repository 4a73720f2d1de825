import { compilePartial, WorkExceededError } from '../../expressions/index.ts'
import { assert } from '../../kit/assert.ts'
import type { LogRecord } from '../../model/dataset.ts'
import { previewLimits } from '../limits.ts'
import type { EventPosition } from '../positions.ts'
import { findEvents } from '../queries/events.ts'
import type { RecordStore } from '../records/port.ts'
import { eventScheme } from './event-scheme.ts'
import { EventView } from './event-view.ts'
import { outcomeOf, type ReadySkip, readySkip, type SkipOutcome } from './outcome.ts'
import type { PreviewExample, PreviewOutcome, PreviewPage, PreviewQuery } from './types.ts'

type Test = (view: EventView) => boolean | ReadonlySet<string>

/**
 * Replays some recorded events against a proposed skip rule. Pages are short, so that other queries run in between; a
 * slow expression makes them shorter.
 */
export async function previewPage(
  store: RecordStore,
  zoneId: string,
  query: PreviewQuery,
): Promise<PreviewPage> {
  const compiled = compilePartial(query.expression, eventScheme(query.lists))
  assert(compiled.ok, 'the expression was checked before')
  const skip = readySkip(query.skip, query.lastRules)
  const { range, before } = query
  const { events, next } = await findEvents(store, zoneId, {
    range,
    filter: {},
    limit: previewLimits.pageEvents,
    ...(before === undefined ? {} : { before }),
  })
  const tally = new Tally()
  const untilMs = performance.now() + previewLimits.pageMs
  for (const { position, fields } of events) {
    tally.add(position, fields, () => evaluate(compiled.test, fields, query.normalization), skip)
    if (performance.now() > untilMs && position !== events.at(-1)!.position) return tally.page(position)
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

  /** @param test whether the expression matches the event */
  add(position: EventPosition, fields: LogRecord, test: () => ReturnType<Test>, skip: ReadySkip): void {
    const skipped = outcomeOf(fields, skip)
    if (skipped === undefined) return
    this.#events++
    const matches = test()
    if (matches === false) return
    if (matches === true) {
      this.#matched++
      this.#count(position, fields, skipped, skipped.outcome, [])
      return
    }
    // The expression matters only for events that the skip would change.
    if (skipped.outcome !== 'let_through' && skipped.outcome !== 'possibly_let_through') return
    const names = [...matches].sort()
    for (const name of names) this.#unknownFields[name] = (this.#unknownFields[name] ?? 0) + 1
    this.#count(position, fields, skipped, 'undecided', names)
  }

  page(next: EventPosition | undefined): PreviewPage {
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
    position: EventPosition,
    fields: LogRecord,
    skipped: SkipOutcome,
    outcome: PreviewOutcome,
    unknownFields: readonly string[],
  ): void {
    if (this.#outcomes[outcome]++ < previewLimits.examplesPerOutcome)
      this.#examples.push(exampleOf(position, fields, { ...skipped, outcome, unknownFields }))
  }
}

/** As at the edge, an expression that exceeds its budget does not match. */
function evaluate(
  test: Test,
  fields: LogRecord,
  normalization: PreviewQuery['normalization'],
): boolean | ReadonlySet<string> {
  try {
    return test(new EventView(fields, normalization))
  } catch (error) {
    if (error instanceof WorkExceededError) return false
    throw error
  }
}

function exampleOf(
  position: EventPosition,
  fields: LogRecord,
  found: Pick<
    PreviewExample,
    'outcome' | 'score' | 'remainingScore' | 'threshold' | 'rules' | 'unknownFields'
  >,
): PreviewExample {
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '')
  const { outcome, score, remainingScore, threshold, rules, unknownFields } = found
  return {
    position,
    outcome,
    timeMs: position.timeMs,
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
