import { hexValue, isSpace } from '../../kit/ascii.ts'
import type { Requirements } from '../../regex/index.ts'
import { wafLimits } from '../limits.ts'
import { holdingOneOf } from './literals.ts'
import { type OperatorFactory, type OperatorOutcome, ready, refused } from './operator.ts'
import { PhraseSet } from './phrase-set.ts'

/**
 * Some phrase of a list is in the value, ASCII letters in either case. Blanks separate phrases; `|41 42|` writes bytes
 * in hex, and a backslash takes a following `| \ " : ;` literally. TX:0 is the phrase.
 */
export const pm: OperatorFactory = (parameter, { packed }) => {
  if (packed !== undefined) return searching(() => PhraseSet.unpack(packed))
  const parsed = parsePhrases(parameter)
  return parsed.ok ? searchingFor(parsed.phrases) : refused(parsed.message, parsed.offset)
}

/**
 * The same with phrases from files (blanks separate several names): one per line, trimmed, inner blanks kept, without
 * escapes. Empty lines and lines that begin with `#` are skipped.
 */
export const pmFromFile: OperatorFactory = (parameter, context) => {
  const { packed } = context
  if (packed !== undefined) return searching(() => PhraseSet.unpack(packed))
  const phrases: string[] = []
  const names = parameter.split(' ').filter(name => name !== '')
  if (names.length === 0) return refused('the name of a file is missing', 0)
  for (const name of names) {
    const text = context.readData(name)
    if (text === undefined) return refused(`there is no file ${name}`, parameter.indexOf(name), name.length)
    for (const line of linesOf(text)) phrases.push(line)
  }
  return searchingFor(phrases)
}

/** Trimmed lines that are neither empty nor comments. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map(trimBlanks)
    .filter(line => line !== '' && !line.startsWith('#'))
}

/** Only ASCII white space: in a byte string 0xA0 is half a letter. */
function trimBlanks(line: string): string {
  let start = 0
  let end = line.length
  while (start < end && isSpace(line.charCodeAt(start))) start++
  while (end > start && isSpace(line.charCodeAt(end - 1))) end--
  return line.slice(start, end)
}

function searchingFor(phrases: readonly string[]): OperatorOutcome {
  if (phrases.length === 0) return refused('there is no phrase to look for')
  if (phrases.length > wafLimits.phrasesMax) return refused(`more than ${wafLimits.phrasesMax} phrases`)
  const long = phrases.find(phrase => phrase.length > wafLimits.phraseBytesMax)
  if (long !== undefined) return refused(`a phrase is longer than ${wafLimits.phraseBytesMax} bytes`)
  return searching(() => PhraseSet.of(phrases), holdingOneOf(phrases))
}

/** @param make called at first use: many dictionaries belong to disabled rules */
function searching(make: () => PhraseSet, requirements: Requirements = []): OperatorOutcome {
  let made: PhraseSet | undefined
  const set = (): PhraseSet => {
    made ??= make()
    return made
  }
  return ready(value => set().search(value) !== undefined, {
    *testInSlices(value) {
      return (yield* set().searchInSlices(value)) !== undefined
    },
    groups: value => [set().search(value)],
    *groupsInSlices(value) {
      return [yield* set().searchInSlices(value)]
    },
    requirements,
    pack: pack => set().pack(pack),
  })
}

type Phrases =
  | { readonly ok: true; readonly phrases: readonly string[] }
  | { readonly ok: false; readonly message: string; readonly offset: number }

function parsePhrases(text: string): Phrases {
  const phrases: string[] = []
  let phrase = ''
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x7c) {
      const close = text.indexOf('|', i + 1)
      if (close < 0) return { ok: false, message: 'a run of hex digits is not closed by |', offset: i }
      const bytes = parseHexRun(text, i + 1, close)
      if (bytes === undefined)
        return { ok: false, message: 'pairs of hex digits are expected between | and |', offset: i }
      phrase += bytes
      i = close
    } else if (isSpace(code)) {
      if (phrase !== '') phrases.push(phrase)
      phrase = ''
    } else {
      if (code === 0x5c && i + 1 < text.length && '|\\":;'.includes(text[i + 1]!)) i++
      phrase += text[i]
    }
  }
  if (phrase !== '') phrases.push(phrase)
  return { ok: true, phrases }
}

/** Bytes of `41 42` or `4142`; undefined for anything else, including no digits. */
function parseHexRun(text: string, start: number, end: number): string | undefined {
  let bytes = ''
  for (let i = start; i < end; i++) {
    if (isSpace(text.charCodeAt(i))) continue
    const high = hexValue(text.charCodeAt(i))
    const low = i + 1 < end ? hexValue(text.charCodeAt(i + 1)) : -1
    if (high < 0 || low < 0) return undefined
    bytes += String.fromCharCode((high << 4) | low)
    i++
  }
  return bytes === '' ? undefined : bytes
}
