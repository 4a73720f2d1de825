import { flatMarkdown, flatSource, sentencesOf } from './text.ts'
import { refusals } from './words.ts'

const sentenceWordsMax = 25

/**
 * The problems of one file: refused words in its comments, strings, names and prose, and long sentences of a page.
 * @param file its path, which decides whether it is a page
 * @returns one line each, with file, line and replacement
 */
export function problemsOf(file: string, source: string): readonly string[] {
  const isPage = file.endsWith('.md')
  const { text, lineOf } = isPage ? flatMarkdown(source) : flatSource(source)
  const line = (offset: number, advice: string) =>
    `${file}:${lineOf(offset)} "${text.slice(offset, offset + 50).trim()}" → ${advice}`
  const words = refusals.flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)].map(({ index }) => line(index, instead)),
  )
  const long = isPage ? sentencesOf(text).filter(({ words }) => words > sentenceWordsMax) : []
  return [
    ...words,
    ...long.map(({ offset, words }) =>
      line(offset, `${words} words; at most ${sentenceWordsMax} a sentence`),
    ),
  ]
}
