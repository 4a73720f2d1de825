import { type FlatText, flatComments, flatMarkdown, flatSource, sentencesOf } from './text.ts'
import { refusals } from './words.ts'

const sentenceWordsMax = 25

/**
 * The problems of one file: refused words in its comments, strings, names and prose, and long sentences
 * of its comments and prose.
 * @param file its path, which decides whether it is a page
 * @returns one line each, with file, line and replacement
 */
export function problemsOf(file: string, source: string): readonly string[] {
  const isPage = file.endsWith('.md')
  const flat = isPage ? flatMarkdown(source) : flatSource(source)
  const problem = ({ text, lineOf }: FlatText, offset: number, advice: string) =>
    `${file}:${lineOf(offset)} "${text.slice(offset, offset + 50).trim()}" → ${advice}`
  const words = refusals.flatMap(({ pattern, instead }) =>
    [...flat.text.matchAll(pattern)].map(({ index }) => problem(flat, index, instead)),
  )
  const prose = isPage ? flat : flatComments(source)
  const long = sentencesOf(prose.text).filter(({ words }) => words > sentenceWordsMax)
  return [
    ...words,
    ...long.map(({ offset, words }) =>
      problem(prose, offset, `${words} words; at most ${sentenceWordsMax} a sentence`),
    ),
  ]
}
