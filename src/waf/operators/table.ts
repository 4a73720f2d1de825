import { assert } from '../../kit/assert.ts'
import { eq, ge, gt, le, lt } from './compare.ts'
import { geoLookup, noMatch, rbl, unconditionalMatch } from './constant.ts'
import { detectSQLi, detectXSS } from './detect.ts'
import { ipMatch, ipMatchFromFile } from './ip.ts'
import type { OperatorFactory } from './operator.ts'
import { pm, pmFromFile } from './pm.ts'
import { rx, rxGlobal } from './rx.ts'
import { beginsWith, contains, containsWord, endsWith, streq, strmatch, within } from './text.ts'
import { validateByteRange, validateUrlEncoding, validateUtf8Encoding } from './validate.ts'
import { verifyCC, verifySSN } from './verify.ts'

/** Every operator by its canonical name; `pmf` and `ipMatchF` are short forms. */
export const operators: ReadonlyMap<string, OperatorFactory> = new Map(
  Object.entries({
    beginsWith,
    contains,
    containsWord,
    detectSQLi,
    detectXSS,
    endsWith,
    eq,
    ge,
    geoLookup,
    gt,
    ipMatch,
    ipMatchF: ipMatchFromFile,
    ipMatchFromFile,
    le,
    lt,
    noMatch,
    pm,
    pmFromFile,
    pmf: pmFromFile,
    rbl,
    rx,
    rxGlobal,
    streq,
    strmatch,
    unconditionalMatch,
    validateByteRange,
    validateUrlEncoding,
    validateUtf8Encoding,
    verifyCC,
    verifySSN,
    within,
  } satisfies Record<string, OperatorFactory>),
)

const canonicalNames: ReadonlyMap<string, string> = new Map(
  [...operators.keys()].map(name => [name.toLowerCase(), name]),
)
assert(canonicalNames.size === operators.size, 'names of operators differ by more than case')

/** The canonical spelling of a name in any case (`VERIFYSSN` → `verifySSN`); undefined for an unknown one. */
export function canonicalOperator(name: string): string | undefined {
  return canonicalNames.get(name.toLowerCase())
}
