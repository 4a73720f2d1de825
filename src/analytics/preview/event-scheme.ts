import { type Field, type Scheme, UnknownFieldError, type Value } from '../../expressions/index.ts'
import { type HttpField, httpScheme, type ListLookup, listTest, listType } from '../../rulesets/index.ts'
import type { EventView } from './event-view.ts'
import type { PreviewQuery } from './types.ts'

/** Fields that an event contains although the request's headers do not. */
const recorded: Readonly<Record<string, (view: EventView) => Value>> = {
  'http.user_agent': view => view.userAgent,
  'http.referer': view => view.referer,
}

/** Headers that an event contains, by their names in lower case. */
const recordedHeaders: Readonly<Record<string, (view: EventView) => string>> = {
  'user-agent': view => view.userAgent,
  referer: view => view.referer,
}

/** The fields of filters of the managed phase, read from events; a field that an event does not contain throws. */
export function eventScheme(lists: PreviewQuery['lists']): Scheme<EventView> {
  const context = { phase: 'http_request_firewall_managed', use: 'filter' } as const
  const scheme = httpScheme(context, listsOf(lists))
  return {
    ...scheme,
    fields: new Map([...scheme.fields].map(([name, field]) => [name, fieldOfEvent(field)])),
  }
}

function fieldOfEvent({ name, type, read }: Field<never> | HttpField): Field<EventView> {
  const unknown = new UnknownFieldError(name)
  const readView = recorded[name] ?? (read as (view: EventView) => Value)
  if (name === 'http.request.headers' || name === 'raw.http.request.headers')
    return { name, type, read: view => new RecordedHeaders(view, unknown) }
  return {
    name,
    type,
    read: view => {
      try {
        return readView(view)
      } catch (error) {
        throw error instanceof UnknownFieldError ? unknown : error
      }
    },
  }
}

/** Of all headers an event has two; reading another one, or all, throws as unknown. */
class RecordedHeaders extends Map<string, Value> {
  readonly #view: EventView
  readonly #unknown: UnknownFieldError

  constructor(view: EventView, unknown: UnknownFieldError) {
    super()
    this.#view = view
    this.#unknown = unknown
  }

  override get(name: string): Value {
    const read = recordedHeaders[name]
    if (read === undefined) throw this.#unknown
    const value = this.#read(read)
    // An empty header cannot be distinguished from an absent one.
    if (value === '') throw this.#unknown
    return [value]
  }

  override has(name: string): boolean {
    return this.get(name) !== undefined
  }

  override keys(): never {
    throw this.#unknown
  }

  override values(): never {
    throw this.#unknown
  }

  override entries(): never {
    throw this.#unknown
  }

  override forEach(): never {
    throw this.#unknown
  }

  override get size(): number {
    throw this.#unknown
  }

  override [Symbol.iterator](): never {
    throw this.#unknown
  }

  #read(read: (view: EventView) => string): string {
    try {
      return read(this.#view)
    } catch (error) {
      throw error instanceof UnknownFieldError ? this.#unknown : error
    }
  }
}

function listsOf(lists: PreviewQuery['lists']): ListLookup {
  const tests = new Map(
    Object.entries(lists).map(([key, { kind, items }]) => [
      key,
      { type: listType(kind), test: listTest(kind, items) },
    ]),
  )
  return (name, type) => {
    const list = tests.get(`${type} ${name}`)
    return list?.type === type ? list.test : undefined
  }
}
