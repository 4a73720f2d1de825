import type { Step } from './ast.ts'
import { isDigit, type Lexer } from './lexer.ts'
import { readInteger, readQuoted } from './literals.ts'

/** `[3]`, `["key"]` or `[*]`. */
export function readStep(lexer: Lexer): Step {
  lexer.expect('[')
  lexer.skipSpace()
  const step = readStepInside(lexer)
  lexer.skipSpace()
  lexer.expect(']')
  return step
}

function readStepInside(lexer: Lexer): Step {
  if (lexer.take('*')) return { kind: 'each' }
  if (lexer.peek() === '"') return { kind: 'key', key: readQuoted(lexer) }
  const start = lexer.at
  if (!isDigit(lexer.peek()) && lexer.peek() !== '-') {
    lexer.failRest('bad-index', 'expected literal "expected quoted utf8 string or positive integer"')
  }
  const index = readInteger(lexer)
  if (index < 0n) {
    lexer.at = start
    lexer.failRest('bad-index', 'expected literal "expected positive integer as index"')
  }
  return { kind: 'index', index: Math.min(Number(index), Number.MAX_SAFE_INTEGER) }
}
