import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemsOf } from './check.ts'

const sentence = (words: number) => `${'word '.repeat(words - 1)}word.`

const cases = [
  { name: 'a word of the list', file: 'a.ts', source: "const text = 'begin anew'", lines: [1] },
  {
    name: 'a part of a name',
    file: 'a.ts',
    source: 'const spoolRoom = 1\nconst roomLeft = 2',
    lines: [1, 2],
  },
  {
    name: 'former names of concepts',
    file: 'a.ts',
    source:
      'const writeGate = 1\nclass Nap {}\nlet ledger = 0\nuseFate()\nclass Walk {}\nconst place = 1\nbuildImages()\nlet aQuestion',
    lines: [1, 2, 3, 4, 5, 6, 7, 8],
  },
  {
    name: 'words that contain them',
    file: 'a.ts',
    source: 'navigate(aggregate, snapshot, walk())\n// Updated in place, and takes the place of the old one.',
    lines: [],
  },
  { name: 'a longer word', file: 'a.ts', source: 'const mushrooms = chatroom + indoors', lines: [] },
  {
    name: 'a phrase over two lines',
    file: 'a.ts',
    source: '/**\n * The records, those\n * that wait.\n */',
    lines: [2],
  },
  { name: 'a headless what', file: 'a.ts', source: 'f()\n/** What a rule did. */', lines: [2] },
  {
    name: 'a headless what in a string',
    file: 'a.ts',
    source: "test('what comes late is kept', () => {})",
    lines: [1],
  },
  {
    name: 'a headless what after a comma',
    file: 'a.md',
    source: 'Of a body, what is left passes.',
    lines: [1],
  },
  { name: 'a headless who', file: 'a.ts', source: '// Done. Who knows it may listen.', lines: [1] },
  {
    name: 'pronouns in place of nouns',
    file: 'a.md',
    source:
      'Somebody wrote it; those of files stay.\n\nThat of files stays, and none could be had.\n\nThe rest cannot be had.',
    lines: [1, 1, 3, 3, 5],
  },
  {
    name: 'comparisons',
    file: 'a.md',
    source: 'Its values are those of the edge, and the figure exceeds that of last week.',
    lines: [],
  },
  {
    name: 'questions',
    file: 'a.md',
    source: 'What does it cost, and what does it bring?\n\nWho reads it?',
    lines: [],
  },
  { name: 'the feature', file: 'a.md', source: '## What if\n\nWhat if shows a matrix.', lines: [] },
  { name: 'an object clause', file: 'a.md', source: 'The log says what happened.', lines: [] },
  { name: 'a sentence of 25 words', file: 'a.md', source: sentence(25), lines: [] },
  { name: 'a sentence of 26 words', file: 'a.md', source: `# Title\n\n${sentence(26)}`, lines: [3] },
  {
    name: 'a sentence over lines',
    file: 'a.md',
    source: sentence(26).replaceAll('word word', 'word\nword'),
    lines: [1],
  },
  {
    name: 'cells and items',
    file: 'a.md',
    source: `| ${sentence(20)} | ${sentence(20)} |\n- ${sentence(20)}`,
    lines: [],
  },
  { name: 'a list of code', file: 'a.md', source: `One of ${'`x y`, '.repeat(40)}\`z\`.`, lines: [] },
  { name: 'code and comments of a page', file: 'a.md', source: '```\nanew\n```\n<!-- anew -->', lines: [] },
  {
    name: 'a comment of 25 words, and the next one',
    file: 'a.ts',
    source: `// ${sentence(25)}\nf() // ${sentence(25)}\n// ${sentence(25)}`,
    lines: [],
  },
  { name: 'a long comment', file: 'a.ts', source: `f()\n  // ${sentence(26)}`, lines: [2] },
  { name: 'a long comment behind code', file: 'a.ts', source: `f() // ${sentence(26)}`, lines: [1] },
  {
    name: 'a long comment over lines',
    file: 'a.ts',
    source: `/**\n * ${sentence(26).replaceAll('word word', 'word\n * word')}\n */`,
    lines: [2],
  },
  {
    name: 'tags and items of a comment',
    file: 'a.ts',
    source: `/**\n * ${'word '.repeat(20)}\n * @returns ${'word '.repeat(20)}\n * - ${'word '.repeat(20)}\n */`,
    lines: [],
  },
  { name: 'code', file: 'a.ts', source: `f('/* ', ${'word, '.repeat(40)})`, lines: [] },
] as const

for (const { name, file, source, lines } of cases) {
  test(name, () => {
    const found = problemsOf(file, source).map(problem => Number(/:(\d+) /.exec(problem)?.[1]))
    assert.deepEqual(
      found.toSorted((a, b) => a - b),
      lines,
    )
  })
}

test('a problem names its file and line, the words and the replacement', () => {
  assert.deepEqual(problemsOf('docs/a.md', 'It begins\nanew.'), ['docs/a.md:2 "anew." → again'])
})
