import { isAlphanumeric } from '../../../kit/ascii.ts'
import { ByteSet, type Clause, type Requirements } from '../../../regex/index.ts'
import { functionNames, wordsOfType } from './keywords.ts'

const literalBytesMax = 8
const quotes = ["'", '"']
const comments = ['--', '#', '/*']
/** Tokens that are an injection by themselves, see fold.ts. */
const deadly = ['/*!', 'waitfor', 'outfile', 'dumpfile']
const logic = [...wordsOfType('&'), '||', '&&']
const constants = [...'0123456789', ...wordsOfType('1')]
const statements = wordsOfType('T')

/** Names of functions inside names of browsers: there they count only with what may stand before a parenthesis. */
const partsOfBrowserNames = ['chr', 'version']

/**
 * What every value that `detectSqli` finds holds. The clauses follow the shapes of judge.ts; a value read with a quote
 * open holds that quote, so that only the last clause says more about those.
 */
export const sqliRequirements: Requirements = [
  { kind: 'bytes', bytes: separators() },
  // No shape does without a sign or a word that prose hardly needs.
  literals([
    ...quotes,
    ...constants,
    ...comments,
    ...deadly,
    ...wordsOfType('U'),
    ...'($;',
    '@@',
    'select',
    'case',
    'having',
  ]),
  // Numbers and parentheses alone do nothing: logic, a query, a statement, a telling call or a comment has to follow.
  literals([...quotes, ...logic, ...deadly, ...comments, ...queryWords(), ...callNames()]),
  // Behind the closing quote an expression goes on; a name with an apostrophe does not.
  literals([
    ...'(+-*/%^|&<>=!~:@#',
    ...logic,
    ...deadly,
    ...queryWords(),
    ...wordsOfType('o').filter(word => word !== 'in' && word !== 'is'),
    'null',
    'where',
    'limit',
  ]),
]

/** Words that begin or shape a query or a statement. */
function queryWords(): string[] {
  return [...wordsOfType('E'), ...statements, ...wordsOfType('B'), 'values', 'having', 'procedure', 'set']
}

/** Names of the functions whose calls tell something. */
function callNames(): string[] {
  const behind = ['(', ' ', '\t', '\n', '\v', '\f', '\r', '/*', '`', ']']
  return functionNames(2).flatMap(name =>
    partsOfBrowserNames.includes(name) ? behind.map(sign => name + sign) : [name],
  )
}

/** What is not part of a word: words alone cannot leave their place in a statement. */
function separators(): ByteSet {
  const set = new ByteSet()
  for (let code = 0; code < 0x80; code++) if (!isWordByte(code)) set.addRange(code, code)
  return set
}

function isWordByte(code: number): boolean {
  return isAlphanumeric(code) || code === 0x5f || code === 0x2e
}

/** The first bytes of long literals tell as much; one that holds another one of the list is left out. */
function literals(list: readonly string[]): Clause {
  const heads = [...new Set(list.map(literal => literal.slice(0, literalBytesMax)))]
  return {
    kind: 'literals',
    literals: heads.filter(head => !heads.some(other => other !== head && head.includes(other))),
  }
}
