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

const endOfPart = '<!-- End of this part. -->'

/** A generated part of a page: between two notices, blocks separated by empty lines. */
export function part(source: string, blocks: readonly string[]): string {
  const notice = `<!-- Made by \`npm run docs\` from ${source}. Change that, not this part. -->`
  return [notice, ...blocks, endOfPart].join('\n\n')
}

/** A page with the new text of a part that it has. The part is found by its first notice. */
export function withPart(written: string, made: string): string {
  const start = written.indexOf(made.slice(0, made.indexOf('\n')))
  const end = written.indexOf(endOfPart, start)
  if (start === -1 || end === -1)
    throw new Error(`the page has no part that begins with ${made.split('\n')[0]}`)
  return written.slice(0, start) + made + written.slice(end + endOfPart.length)
}
