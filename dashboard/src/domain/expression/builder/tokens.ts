/** A token of a canonical expression. `text` is the content of a quoted literal, or the token itself. */
export interface Token {
  readonly kind: 'text' | 'bare' | 'symbol'
  readonly text: string
}

const symbols: ReadonlySet<string> = new Set('()[]{},*')

/**
 * Tokens of an expression in the engine's canonical spelling.
 * @returns undefined when a literal holds bytes that a text field cannot show
 */
export function tokensOf(canonical: string): readonly Token[] | undefined {
  const tokens: Token[] = []
  let at = 0
  while (at < canonical.length) {
    const character = canonical[at]!
    if (character === ' ') at++
    else if (symbols.has(character)) {
      tokens.push({ kind: 'symbol', text: character })
      at++
    } else if (character === '"' || /^r#*"/.test(canonical.slice(at, at + 260))) {
      const isPattern = tokens.at(-1)?.text === 'matches'
      const found =
        character === 'r'
          ? readRaw(canonical, at)
          : isPattern
            ? readPattern(canonical, at)
            : readQuoted(canonical, at)
      if (found === undefined) return undefined
      tokens.push({ kind: 'text', text: found.text })
      at = found.end
    } else {
      const end = endOfBare(canonical, at)
      tokens.push({ kind: 'bare', text: canonical.slice(at, end) })
      at = end
    }
  }
  return tokens
}

interface Found {
  readonly text: string
  readonly end: number
}

function endOfBare(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== ' ' && text[at] !== '"' && !symbols.has(text[at]!)) at++
  return at
}

function readRaw(text: string, from: number): Found | undefined {
  const open = text.indexOf('"', from)
  const close = `"${'#'.repeat(open - from - 1)}`
  const end = text.indexOf(close, open + 1)
  return end < 0 ? undefined : { text: text.slice(open + 1, end), end: end + close.length }
}

function readQuoted(text: string, from: number): Found | undefined {
  let value = ''
  for (let at = from + 1; at < text.length; at++) {
    const character = text[at]!
    if (character === '"') return { text: value, end: at + 1 }
    if (character !== '\\') value += character
    else {
      const escaped = text[++at]
      if (escaped !== '"' && escaped !== '\\') return undefined
      value += escaped
    }
  }
  return undefined
}

/** A pattern keeps its backslashes, except before a quote outside a class. A quote inside a class does not end it. */
function readPattern(text: string, from: number): Found | undefined {
  let value = ''
  let inClass = false
  for (let at = from + 1; at < text.length; at++) {
    const character = text[at]!
    if (character === '"' && !inClass) return { text: value, end: at + 1 }
    if (character === '\\') {
      const escaped = text[++at] ?? ''
      value += escaped === '"' && !inClass ? '"' : `\\${escaped}`
      continue
    }
    if (character === '[') inClass = true
    else if (character === ']') inClass = false
    value += character
  }
  return undefined
}
