import { ByteSet, type Clause, type Requirements } from '../../../regex/index.ts'
import { runningAttributeNames, runningTagNames } from './names.ts'

/**
 * What every value that `detectXss` finds holds. Four ways lead there (detect.ts): a tag, an attribute of such a tag, an
 * attribute of a tag that the page opened, and a script address by itself.
 */
export const xssRequirements: Requirements = [
  // Tags begin with `<`, attributes of the page's tag need `=`, a bare address its colon.
  bytes('<=:'),
  // A bare address calls something, perhaps behind character references.
  bytes('<=(`*&'),
  // What a tag is judged by: its name, a declaration, or an attribute with a value.
  literals(['=', '(', '`', '/*', '&', '<!', '<?', 'xsl:', ...runningTagNames]),
  // What an attribute of the page's tag is judged by: its name, or an address in it.
  literals(['<', ':', '&', 'style', 'attributename', ...runningAttributeNames, ...handlerBeginnings()]),
]

/** `on` where an attribute may begin: behind white space, a control character, a slash or a closing quote. */
function handlerBeginnings(): string[] {
  const before = [...Array.from({ length: 0x21 }, (_, code) => String.fromCharCode(code)), '/', '"', "'", '`']
  return before.map(sign => `${sign}on`)
}

function literals(list: readonly string[]): Clause {
  return { kind: 'literals', literals: list }
}

function bytes(list: string): Clause {
  return { kind: 'bytes', bytes: ByteSet.of(Array.from(list, sign => sign.charCodeAt(0))) }
}
