import { scan } from '../scan.ts'
import type { Language } from '../types.ts'
import { operatorWords } from '../words.ts'

/** Token classes for highlighting. Unknown names stay plain: the engine underlines them. */
export type Colour = 'field' | 'function' | 'logic' | 'operator' | 'string' | 'number' | 'list'

export interface ColouredRange {
  readonly from: number
  readonly to: number
  readonly colour: Colour
}

const logic: ReadonlySet<string> = new Set(['and', 'or', 'xor', 'not', 'any', 'all', '&&', '||', '^^', '!'])
const operatorSymbols: ReadonlySet<string> = new Set(['==', '!=', '<=', '>=', '<', '>', '~', '&'])

export function coloursOf(
  text: string,
  { fields, functions }: Pick<Language, 'fields' | 'functions'>,
): readonly ColouredRange[] {
  const found: ColouredRange[] = []
  for (const { kind, from, to } of scan(text)) {
    const colour = kind === 'name' || kind === 'symbol' ? colourOfWord(text.slice(from, to)) : kind
    if (colour !== undefined) found.push({ from, to, colour })
  }
  return found

  function colourOfWord(word: string): Colour | undefined {
    if (logic.has(word)) return 'logic'
    if (operatorWords.has(word) || operatorSymbols.has(word)) return 'operator'
    if (word === 'true' || word === 'false') return 'number'
    if (fields.has(word)) return 'field'
    return functions.has(word) ? 'function' : undefined
  }
}
