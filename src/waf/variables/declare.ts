import { type BodyFacts, emptyBody } from './body-facts.ts'
import { type Collection, EntryList, emptyCollection } from './collection.ts'
import { Entry } from './entry.ts'
import type { Freshness, TransactionState, Variable } from './state.ts'

/** A variable without the name and the slot that the table gives it. */
export type VariableDeclaration = Omit<Variable, 'name' | 'slot'>

/** Name → declaration. Rows of `table.ts`. */
export type VariableTable = Readonly<Record<string, VariableDeclaration>>

type Needs = Variable['needs']

/** A variable with one value and no key; an undefined value means none (it counts 0). */
export function single(
  freshness: Freshness,
  value: (state: TransactionState) => string | undefined,
  needs?: Needs,
): VariableDeclaration {
  const read = (state: TransactionState): Collection => {
    const text = value(state)
    return text === undefined ? emptyCollection : new EntryList([new Entry('', text)])
  }
  return { freshness, keyed: false, qualified: false, needs, read, text: value, withoutBody: undefined }
}

/** `1` or `0`. */
export function flag(
  freshness: Freshness,
  holds: (state: TransactionState) => boolean,
  needs?: Needs,
): VariableDeclaration {
  return single(freshness, state => (holds(state) ? '1' : '0'), needs)
}

/** A variable whose values have keys. */
export function collection(
  freshness: Freshness,
  read: (state: TransactionState) => Collection,
  needs?: Needs,
): VariableDeclaration {
  return { freshness, keyed: true, qualified: false, needs, read, text: undefined, withoutBody: undefined }
}

/** The keys of other values, one entry for each: value and key are both the name. */
export function names(
  freshness: Freshness,
  entries: (state: TransactionState) => readonly Entry[],
  needs?: Needs,
): VariableDeclaration {
  const read = (state: TransactionState): Collection =>
    new EntryList(entries(state).map(entry => entry.nameEntry()))
  return { freshness, keyed: true, qualified: false, needs, read, text: undefined, withoutBody: undefined }
}

/** Declarations of variables that depend on nothing but the request body. */
export const ofBody = {
  single(value: (body: BodyFacts) => string | undefined): VariableDeclaration {
    const text = value(emptyBody)
    const withoutBody = text === undefined ? [] : [text]
    return { ...single('body', state => value(state.body), 'request-body'), withoutBody }
  },

  flag(holds: (body: BodyFacts) => boolean): VariableDeclaration {
    return ofBody.single(body => (holds(body) ? '1' : '0'))
  },

  collection(entries: (body: BodyFacts) => readonly Entry[]): VariableDeclaration {
    const read = (state: TransactionState): Collection => new EntryList(entries(state.body))
    return {
      ...collection('body', read, 'request-body'),
      withoutBody: entries(emptyBody).map(({ value }) => value),
    }
  },

  names(entries: (body: BodyFacts) => readonly Entry[]): VariableDeclaration {
    const declared = names('body', state => entries(state.body), 'request-body')
    return { ...declared, withoutBody: entries(emptyBody).map(({ key }) => key) }
  },
}
