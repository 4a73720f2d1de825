/** Text on one line, so that phrases may span lines of the file. */
export interface FlatText {
  /** `¶` stands where a comment begins; in pages, a line feed where a paragraph, item or cell row begins. */
  readonly text: string
  /** @returns the line of an offset in `text`, from 1 */
  readonly lineOf: (offset: number) => number
}

/** Joins the lines of source code. The lines of a comment become one text. */
export function flatSource(source: string): FlatText {
  let follows = false
  return flat(source, line => {
    const continues = follows
    follows = /^\s*\/\//.test(line)
    if (follows) return line.replace(/^\s*\/\/ ?/, continues ? '' : '¶')
    return line
      .replace(/(?:^\s*| )\/\*+ ?/, '¶')
      .replace(/^\s*\*(?!\/) ?/, '')
      .replace(/ \/\/ /, '¶')
  })
}

/**
 * Joins the lines of each comment of source code. In place of code, and before items, tags and paragraphs of a comment,
 * there are line feeds.
 */
export function flatComments(source: string): FlatText {
  let inBlock = false
  let inLines = false
  return flat(source, line => {
    const continues = inBlock || inLines
    const block = inBlock
      ? /^\s*(?:\*(?!\/) ?)?(.*)$/.exec(line)
      : /(?:^\s*|\s(?=.*\*\/))\/\*{1,2}(?!\/) ?(.*)$/.exec(line)
    inLines = block === null && /^\s*\/\/ /.test(line)
    if (block === null) return beginning(/(?:^\s*|\s)\/\/ (.*)$/.exec(line)?.[1] ?? '', continues && inLines)
    const [text = ''] = block[1]!.split('*/')
    inBlock = !block[1]!.includes('*/')
    return beginning(text, continues)
  })
}

function beginning(text: string, continues: boolean): string {
  const begins = !continues || /^\s*$|^\s*(?:[-|#]|\d+[ .])|^\s{2}|^@/.test(text)
  return begins ? `\n${text}` : text
}

/** Joins the lines of each paragraph of a Markdown page, without its code blocks and comments. */
export function flatMarkdown(page: string): FlatText {
  const blank = (text: string) => text.replace(/[^\n]/g, ' ')
  const prose = page.replace(/^ *```.*?^ *```|<!--.*?-->/gms, blank)
  return flat(prose, line => (/^\s*$|^\s*([-*|#>]|\d+\.) ?/.test(line) ? `\n${line.trimStart()}` : line))
}

export interface Sentence {
  /** In the page. */
  readonly offset: number
  readonly words: number
}

/** Sentences of a flattened page. Cells, items, headings and arrows end one; inline code, or a list of it, is one word. */
export function sentencesOf(page: string): readonly Sentence[] {
  const plain = page
    .replace(/`[^`\n]*`/g, code => '0'.repeat(code.length))
    .replace(/0+(?:,? (?:and |or )?0+)+/g, list => '0'.repeat(list.length))
    .replace(/\]\([^)]*\)/g, link => ']'.repeat(link.length))
  return [...plain.matchAll(/[^\n|\s][^\n|]*?(?:[.!?:→](?=["')\]*]*(?:\s|$))|(?=[\n|])|$)/g)].map(found => ({
    offset: found.index,
    words: found[0].split(/\s+/).filter(word => /[\p{L}\p{N}]/u.test(word)).length,
  }))
}

function flat(source: string, change: (line: string) => string): FlatText {
  const starts: number[] = []
  let text = ''
  for (const line of source.split('\n')) {
    starts.push(text.length)
    text += `${change(line).replace(/ +$/, '')} `
  }
  return { text, lineOf: offset => starts.findLastIndex(start => start <= offset) + 1 }
}
