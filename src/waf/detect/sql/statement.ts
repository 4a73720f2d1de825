import { isOperand } from './fold.ts'
import { isCatalogue } from './keywords.ts'
import { type Case, nameOf, type Token } from './token.ts'

/** Where a query stands: by itself, where a sentence may say "select …", or where only SQL puts it. */
export const Place = { plain: 0, nested: 1 } as const
export type Place = (typeof Place)[keyof typeof Place]

/** Whether `select …`, `case when …` or `exists (…` at `at` is a query and not a sentence. */
export function yieldsValues(item: Case, at: number, place: Place): boolean {
  const { tokens } = item
  const token = tokens[at]!
  if (token.text === 'exists') return tokens[at + 1]?.type === '(' && tokens[at + 2]?.type === 'E'
  if (token.text === 'case') return isCase(tokens, at, place)
  const what = tokens[at + 1]
  if (what === undefined) return false
  switch (what.type) {
    case 'f':
      return true
    case 'v':
      return what.text === '@@' || place === Place.nested
    case 'E':
      return yieldsValues(item, at + 1, place)
    case '(':
      return place === Place.nested || tokens[at + 2]?.type === 'E' || tokens[at + 2]?.type === 'f'
    case 'o':
      return what.text === '*' && (place === Place.nested || tokens[at + 2]?.text === 'from')
    default:
      return isOperand(what) && selectsColumns(item, at + 1, place)
  }
}

/** `case when <condition>`: "in case when" is English too, so the condition must ask something. */
function isCase(tokens: readonly Token[], at: number, place: Place): boolean {
  const when = tokens[at + 1]?.text === 'when' ? at + 1 : tokens[at + 2]?.text === 'when' ? at + 2 : -1
  if (when < 0) return false
  const from = tokens[when + 1]?.type === '(' ? when + 2 : when + 1
  const condition = tokens[from]
  if (condition === undefined) return place === Place.nested
  if (condition.type === 'f' || condition.type === 'E') return true
  return isOperand(condition) && !condition.prose && (place === Place.nested || condition.claim > 0)
}

/** `select <columns> …` with the columns at `at`. */
function selectsColumns(item: Case, at: number, place: Place): boolean {
  const columns = item.tokens[at]!
  const next = item.tokens[at + 1]
  if (next?.text === 'from') return selectsFrom(item, at, place)
  if (place === Place.plain || columns.prose) return false
  // `(select 1)`, `(select 'a')`, `(select user)`; "(select one)" stands on every form.
  return columns.type === '1' || columns.type === 's' || columns.word.rank === 2
}

function selectsFrom({ value, tokens }: Case, at: number, place: Place): boolean {
  const columns = tokens[at]!
  const table = tokens[at + 2]
  if (table === undefined) return columns.type === '1' && !columns.prose
  if (table.type === '(' || table.type === 'E') return true
  if (!isOperand(table)) return false
  if (isCatalogue(nameOf(value, table))) return true
  if (columns.prose || table.prose) return false
  if (place === Place.nested || columns.type === '1') return true
  return goesOnAsQuery(tokens, at + 3)
}

/** "select size from list" is for people; a condition, an order or a comment behind it is for a database. */
function goesOnAsQuery(tokens: readonly Token[], at: number): boolean {
  const clause = tokens[at]
  const next = tokens[at + 1]
  if (clause === undefined) return false
  if (clause.type === 'c' || (clause.type === 'B' && clause.complete) || clause.type === 'U') return true
  if (clause.text === 'where')
    return isOperand(next) ? next.claim > 0 : next?.type === 'f' || next?.type === '('
  return clause.text === 'limit' && next?.type === '1'
}

/** Whether a statement of its own begins at `at`, as stacked queries do behind `;`. */
export function beginsStatement(item: Case, at: number): boolean {
  const { value, tokens, quoted } = item
  const token = tokens[at]
  const next = tokens[at + 1]
  if (token === undefined) return false
  if (token.type === 'E') return yieldsValues(item, at, Place.nested)
  if (token.text === 'set') return next?.type === 'v'
  if (token.type !== 'T') return false
  switch (token.text) {
    case 'shutdown':
      return next === undefined ? quoted : next.type === 'c' || next.type === ';'
    case 'declare':
      return next?.type === 'v'
    case 'update':
      return isOperand(next) && !next.prose && tokens[at + 2]?.text === 'set'
    case 'exec':
    case 'execute':
      return runsProcedure(value, next)
    default:
      return token.complete && ((isOperand(next) && !next.prose) || (next?.type === 'k' && quoted))
  }
}

function runsProcedure(value: string, what: Token | undefined): boolean {
  if (what === undefined) return false
  if (what.type === 'v' || what.type === '(' || what.type === 'f') return true
  const name = nameOf(value, what)
  return (
    name === 'immediate' ||
    name.startsWith('xp_') ||
    name.startsWith('sp_') ||
    name.includes('..') ||
    name.startsWith('master.')
  )
}
