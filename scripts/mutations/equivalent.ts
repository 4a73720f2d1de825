import type { Mutant } from './mutants.ts'
import type { Operator } from './operators.ts'

/** An operator, or one of its replacements: `condition false`. */
type Kind = Operator | `${Operator} ${string}`

const sameText = 'the shortcut gives the same text'

/** Mutants that no test can detect, because they change nothing visible. */
export const equivalentMutants: readonly (readonly [
  file: string,
  scope: string,
  kinds: readonly Kind[],
  reason: string,
])[] = [
  [
    'src/waf/operators/literals.ts',
    'pieceOf',
    ['condition', 'comparison', 'call'],
    'any piece is in the literal',
  ],
  ['src/waf/operators/phrase-set.ts', 'PhraseSet.#child', ['number 7'], 'how wide a state is bisected'],
  ['src/waf/operators/rx.ts', 'matchesWhole', ['string'], 'it spares a search'],
  ['src/waf/transformations/base64.ts', 'base64Encode', ['condition true'], 'behind the end is no bit'],
  ['src/waf/transformations/case.ts', 'uppercase', ['condition true', 'condition false'], sameText],
  ['src/waf/transformations/cmd-line.ts', 'TIGHT', ['number'], 'any number above the others does'],
  ['src/waf/transformations/comments.ts', 'removeComments', ['condition false'], sameText],
  ['src/waf/transformations/comments.ts', 'removeCommentsChar', ['condition false'], sameText],
  [
    'src/waf/transformations/html-entity-decode.ts',
    'entityEnd',
    ['condition true'],
    'an empty name is no entity',
  ],
  ['src/waf/transformations/scratch.ts', 'scratch', ['number'], 'the buffer grows when it has to'],
  ['src/waf/transformations/scratch.ts', 'scratchWith', ['comparison <='], 'the next byte is written over'],
  ['src/waf/transformations/nulls.ts', 'replaceNulls', ['condition false'], sameText],
  ['src/waf/transformations/url-decode.ts', 'urlDecode', ['condition false'], sameText],
  ['src/waf/transformations/utf8.ts', 'firstHighByte', ['comparison >='], '0x7f is copied as it is'],
  ['src/waf/transformations/whitespace.ts', 'trimLeft', ['condition false'], sameText],
  ['src/waf/transformations/whitespace.ts', 'trimRight', ['condition false'], sameText],
]

export function isEquivalent(mutant: Mutant): boolean {
  return equivalentMutants.some(
    ([file, scope, kinds]) =>
      mutant.file === file && mutant.scope === scope && kinds.some(kind => isMade(mutant, kind)),
  )
}

export function isMade({ operator, replacement }: Mutant, kind: Kind): boolean {
  return kind === operator || kind === `${operator} ${replacement}`
}
