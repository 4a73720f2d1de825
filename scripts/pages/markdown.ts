/** A table; cells may contain any text except line breaks. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}

/** Outside code, `<` begins a tag and `*` an emphasis; a bar ends a cell even inside code. */
function escaped(cell: string): string {
  const parts = cell
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part.replace(/[<*_]/g, '\\$&') : part))
  return parts.join('`').replaceAll('|', '\\|')
}

export function code(text: string): string {
  return `\`${text}\``
}

/** A generated page: a notice, and blocks separated by empty lines. */
export function page(title: string, source: string, blocks: readonly string[]): string {
  const notice = `<!-- Made by \`npm run docs\` from ${source}. Change that, not this page. -->`
  return `${[`# ${title}`, notice, ...blocks].join('\n\n')}\n`
}

const startOfPart = '<!-- Made by `npm run docs`'
const endOfPart = '<!-- End of this part. -->'

/** A generated part of a page: between two notices, blocks separated by empty lines. */
export function part(source: string, blocks: readonly string[]): string {
  const notice = `${startOfPart} from ${source}. Change that, not this part. -->`
  return [notice, ...blocks, endOfPart].join('\n\n')
}

/** A page with the new text of a part that it has. Its first notice finds it. */
export function withPart(written: string, made: string): string {
  const notice = made.split('\n', 1)[0]!
  const start = written.indexOf(notice)
  const end = written.indexOf(endOfPart, start)
  if (start === -1) throw new Error(`the page has no line ${notice}`)
  if (end === -1 || written.slice(start + 1, end).includes(startOfPart))
    throw new Error(`there is no line ${endOfPart} behind ${notice}`)
  return written.slice(0, start) + made + written.slice(end + endOfPart.length)
}
