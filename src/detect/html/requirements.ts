import { ByteSet, type Clause, type Requirements } from '../../regex/index.ts'
import { literalsClause } from '../literals-clause.ts'
import { runningAttributeNames, runningTagNames } from './names.ts'

const literalBytes = 6
const literals = (list: readonly string[]) => literalsClause(list, literalBytes)

/**
 * Conditions that every value detected by `detectXss` meets. There are four kinds (detect.ts): a tag, an attribute of
 * such a tag, an attribute of a tag that the page opened, and a script address alone.
 */
export const xssRequirements: Requirements = [
  // Tags begin with `<`, attributes of the page's tag need `=`, a bare address its colon.
  bytes('<=:'),
  // A bare address calls something, perhaps after character references.
  bytes('<=(`*&'),
  // A tag is judged by its name, a declaration, or an attribute with a value.
  literals(['=', '(', '`', '/*', '&', '<!', '<?', 'xsl:', ...runningTagNames]),
  // An attribute of the page's tag is judged by its name, or by an address in it.
  literals(['<', ':', '&', 'style', 'attributename', ...runningAttributeNames]),
]

function bytes(list: string): Clause {
  return { kind: 'bytes', bytes: ByteSet.of(Array.from(list, sign => sign.charCodeAt(0))) }
}
