import { allCharacters, type CodeSet } from './code-set.ts'

/**
 * The characters with a property. The platform's own expression for the property runs once over all characters, when a
 * pattern first needs it, never over a request's data.
 */
const known = new Map<string, CodeSet>()

export const digitCharacters = () => charactersLike('\\p{Nd}')
export const spaceCharacters = () => charactersLike('\\p{White_Space}')
export const wordCharacters = () => charactersLike('[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]')

/**
 * @param name the text in `\p{…}`: a general category, script or binary property, also as `gc=`, `sc=` and `scx=`
 * @returns undefined for an unknown name
 * @source UTS 18 section 1.2, Unicode 16 property names
 */
export function charactersWith(name: string): CodeSet | undefined {
  const equals = name.indexOf('=')
  const kind = equals < 0 ? '' : loose(name.slice(0, equals))
  const value = loose(name.slice(equals + 1))
  if (kind === '') return fromTable(plainNames, value)
  const table = tables.get(kind)
  return table && fromTable(table, value)
}

function fromTable(table: ReadonlyMap<string, string>, value: string): CodeSet | undefined {
  const expression = table.get(value)
  return expression === undefined ? undefined : charactersLike(expression)
}

/** Case, blanks, hyphens and underscores do not count in names. */
function loose(name: string): string {
  return name.toLowerCase().replaceAll(/[ _-]/g, '')
}

const categories = `L Letter Lu Uppercase_Letter Ll Lowercase_Letter Lt Titlecase_Letter LC Cased_Letter
  Lm Modifier_Letter Lo Other_Letter M Mark Mn Nonspacing_Mark Mc Spacing_Mark Me Enclosing_Mark N Number
  Nd Decimal_Number Nl Letter_Number No Other_Number P Punctuation Pc Connector_Punctuation Pd Dash_Punctuation
  Ps Open_Punctuation Pe Close_Punctuation Pi Initial_Punctuation Pf Final_Punctuation Po Other_Punctuation
  S Symbol Sm Math_Symbol Sc Currency_Symbol Sk Modifier_Symbol So Other_Symbol Z Separator Zs Space_Separator
  Zl Line_Separator Zp Paragraph_Separator Cc Control Cf Format Co Private_Use`

const scripts = `Arabic Armenian Balinese Bengali Bopomofo Braille Canadian_Aboriginal Cherokee Common Coptic Cyrillic
  Devanagari Ethiopic Georgian Gothic Greek Gujarati Gurmukhi Han Hangul Hebrew Hiragana Inherited Javanese Kannada
  Katakana Khmer Lao Latin Malayalam Mongolian Myanmar Nko Ogham Oriya Runic Sinhala Sundanese Syriac Tagalog Tamil
  Telugu Thaana Thai Tibetan Tifinagh Yi`

const properties = `Alphabetic ASCII Any Emoji Extended_Pictographic ID_Continue ID_Start Ideographic Join_Control Lowercase
  Math Uppercase White_Space`

const categoryTable = tableOf(categories, '')
const scriptTable = tableOf(scripts, 'Script=')
const plainNames = new Map([...tableOf(properties, ''), ...scriptTable, ...categoryTable])
const tables: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ['gc', categoryTable],
  ['generalcategory', categoryTable],
  ['sc', scriptTable],
  ['script', scriptTable],
  ['scx', tableOf(scripts, 'Script_Extensions=')],
  ['scriptextensions', tableOf(scripts, 'Script_Extensions=')],
])

function tableOf(names: string, kind: string): ReadonlyMap<string, string> {
  return new Map(names.split(/\s+/).map(name => [loose(name), `\\p{${kind}${name}}`]))
}

function charactersLike(expression: string): CodeSet {
  let set = known.get(expression)
  if (set === undefined) {
    set = runsOf(new RegExp(`${expression}+`, 'gu'))
    known.set(expression, set)
  }
  return set
}

/** Runs end where characters are not contiguous: at surrogates, and where one code unit becomes two. */
const stretches = [
  [allCharacters[0]!, allCharacters[1]!],
  [allCharacters[2]!, 0xffff],
  [0x10000, allCharacters[3]!],
] as const

function runsOf(runs: RegExp): CodeSet {
  const set: number[] = []
  for (const [first, last] of stretches) {
    const units = first > 0xffff ? 2 : 1
    for (const { 0: run, index } of stretchText(first, last).matchAll(runs)) {
      const start = first + index / units
      const end = start + run.length / units - 1
      if (set.at(-1) === start - 1) set[set.length - 1] = end
      else set.push(start, end)
    }
  }
  return set
}

const codesAtOnce = 4096

function stretchText(first: number, last: number): string {
  const pieces: string[] = []
  for (let from = first; from <= last; from += codesAtOnce) {
    const length = Math.min(codesAtOnce, last + 1 - from)
    pieces.push(String.fromCodePoint(...Array.from({ length }, (_, at) => from + at)))
  }
  return pieces.join('')
}
