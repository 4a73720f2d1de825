import { ByteSet, type Clause, type Requirements } from '../../regex/index.ts'
import { runningAttributeNames, runningTagNames } from './names.ts'

const literalBytesMax = 6

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

/** The first bytes of long literals suffice. A literal that contains another one of the list is left out. */
function literals(list: readonly string[]): Clause {
  const heads = [...new Set(list.map(literal => literal.slice(0, literalBytesMax)))]
  return {
    kind: 'literals',
    literals: heads.filter(head => !heads.some(other => other !== head && head.includes(other))),
  }
}

function bytes(list: string): Clause {
  return { kind: 'bytes', bytes: ByteSet.of(Array.from(list, sign => sign.charCodeAt(0))) }
}
