import type { SourceFile } from './ast.ts'
import { directives } from './directives.ts'
import { parseOperator } from './operator-call.ts'
import { Report } from './report.ts'
import { logicalLines } from './source-lines.ts'
import { splitWords, type Word } from './words.ts'

/** The other files that one source needs, as written in it: relative to itself, each once, in order. */
export interface References {
  /** Of `Include` and `IncludeOptional`; may be patterns such as `plugins/*.conf`. */
  readonly includes: readonly string[]
  /** Operators that read a list from a file. */
  readonly data: readonly string[]
}

const fileOperators: ReadonlySet<string> = new Set(['pmFromFile', 'ipMatchFromFile'])

/** Only lines with one of these can name a file: few do, and splitting a line costs many times as much as this. */
const mayName = /include|pmf|ipmatchf/i

/**
 * Finds the files that must be read before a source can be compiled. Mistakes in the source are left to `parse`. Linear
 * in its size.
 */
export function referencesOf(file: SourceFile): References {
  const includes = new Set<string>()
  const data = new Set<string>()
  const mistakes = new Report()
  for (const line of logicalLines(file)) {
    if (!mayName.test(line.text)) continue
    const [head, first, second] = splitWords(line, mistakes) ?? []
    const directive = head === undefined ? undefined : directives.find(head.text)?.name
    if (directive === 'Include' || directive === 'IncludeOptional') {
      if (first !== undefined) includes.add(first.text)
    } else if (directive === 'SecRule' && second !== undefined) {
      for (const name of dataFilesOf(second, mistakes)) data.add(name)
    }
  }
  return { includes: [...includes], data: [...data] }
}

function dataFilesOf(operator: Word, mistakes: Report): string[] {
  const call = parseOperator(operator, mistakes)
  if (call === undefined || !fileOperators.has(call.name)) return []
  return call.parameter.split(' ').filter(name => name !== '')
}
