import { actionKinds, dayMs, dimensionNumbers, hourMs, minuteMs } from '../schema.ts'
import type { TextWriter } from '../texts.ts'
import type { EventSeen, RequestSeen } from './stored.ts'
import { SumTable } from './sum-table.ts'

/** Adds up records before they are written: most records of a batch fall on the same few rows. */
export class Counts {
  readonly #texts: TextWriter
  /** Requests, mitigated requests, bytes sent, bytes received, and one count for each class of statuses. */
  readonly minutes = new SumTable(2, 10)
  readonly actions = new SumTable(5, 1)
  readonly zoneHours = new SumTable(3, 2)
  readonly values = new SumTable(4, 2)
  readonly rules = new SumTable(3, 3)

  constructor(texts: TextWriter) {
    this.#texts = texts
  }

  addRequest(seen: RequestSeen): void {
    const { timeMs } = seen
    const day = dayOf(timeMs)
    const zone = this.#texts.idOf(seen.zone, day)
    const account = this.#texts.idOf(seen.account, day)
    const held = seen.action === '' ? 0 : 1
    const minute = Math.floor(timeMs / minuteMs)
    const hour = Math.floor(timeMs / hourMs)
    const sums = this.minutes.row(zone, minute)
    sums[0]! += 1
    sums[1]! += held
    sums[2]! += seen.bytes
    sums[3]! += seen.requestBytes
    sums[4 + statusClass(seen.status)]! += 1
    const ofAccount = this.zoneHours.row(account, hour, zone)
    ofAccount[0]! += 1
    ofAccount[1]! += held
    for (const rule of seen.rules) {
      const hits = this.rules.row(zone, hour, this.#texts.idOf(rule, day))
      hits[0]! += 1
      hits[1]! += held
      hits[2]! += seen.passedWell ? 1 : 0
    }
    if (held === 0) return
    const action = this.#texts.idOf(seen.action, day)
    const source = this.#texts.idOf(seen.source, day)
    this.actions.row(zone, minute, actionKinds.mitigated, action, source)[0]! += 1
  }

  /** @param ids ids of the event's texts */
  addEvent(seen: EventSeen, ids: EventIds): void {
    const { zone, action, source } = ids
    const minute = Math.floor(seen.timeMs / minuteMs)
    this.actions.row(zone, minute, actionKinds.events, action, source)[0]! += 1
    const hour = Math.floor(seen.timeMs / hourMs)
    const held = seen.held ? 1 : 0
    this.#addValue(zone, dimensionNumbers.rule, hour, ids.rule, held)
    this.#addValue(zone, dimensionNumbers.path, hour, ids.path, held)
    this.#addValue(zone, dimensionNumbers.client, hour, ids.client, held)
    this.#addValue(zone, dimensionNumbers.country, hour, ids.country, held)
    this.#addValue(zone, dimensionNumbers.user_agent, hour, ids.agent, held)
    this.#addValue(zone, dimensionNumbers.host, hour, ids.host, held)
    for (const rule of ids.rules) this.#addValue(zone, dimensionNumbers.matched_rule, hour, rule, held)
  }

  #addValue(zone: number, dimension: number, hour: number, value: number, held: number): void {
    const sums = this.values.row(zone, dimension, hour, value)
    sums[0]! += 1
    sums[1]! += held
  }
}

/** Ids of an event's texts. */
export interface EventIds {
  readonly zone: number
  readonly action: number
  readonly source: number
  readonly rule: number
  readonly client: number
  readonly country: number
  readonly path: number
  readonly method: number
  readonly host: number
  readonly agent: number
  readonly rules: readonly number[]
}

export function eventIds(seen: EventSeen, texts: TextWriter): EventIds {
  const day = dayOf(seen.timeMs)
  return {
    zone: texts.idOf(seen.zone, day),
    action: texts.idOf(seen.action, day),
    source: texts.idOf(seen.source, day),
    rule: texts.idOf(seen.rule, day),
    client: texts.idOfChosen(seen.client, day),
    country: texts.idOf(seen.country, day),
    path: texts.idOfChosen(seen.path, day),
    method: texts.idOfChosen(seen.method, day),
    host: texts.idOfChosen(seen.host, day),
    agent: texts.idOfChosen(seen.agent, day),
    rules: seen.rules.map(rule => texts.idOf(rule, day)),
  }
}

function dayOf(ms: number): number {
  return Math.floor(ms / dayMs)
}

/** 1 to 5; 0 for an invalid status. */
function statusClass(status: number): number {
  const first = Math.floor(status / 100)
  return first >= 1 && first <= 5 ? first : 0
}
