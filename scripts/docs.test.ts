import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { commandsOf, commentsOf, Paths, pathsOfComments, pathsOfPage } from './names.ts'

const root = join(import.meta.dirname, '..')
const notOurs = (name: string) => name === 'node_modules' || name === 'dist'
const find = (pattern: string) => globSync(pattern, { cwd: root, exclude: notOurs })

const pages = find('**/*.md').filter(page => !page.startsWith('data/'))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const sources = find('{src,test,scripts,bench,conformance,dashboard,examples,bin}/**/*.{ts,tsx,js}')
/** Prose about the current source: pages and comments. A changelog and decisions also name deleted files. */
const named = [
  ...pages
    .filter(page => !/^CHANGELOG|^docs\/decisions\//.test(page))
    .map(file => ({ file, text: read(file), paths: pathsOfPage })),
  ...sources.map(file => ({ file, text: commentsOf(read(file)), paths: pathsOfComments })),
]

test('the generated pages of docs/ are up to date', () => {
  const script = join(import.meta.dirname, 'docs.ts')
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
})

test('every relative link leads to a file, and every anchor to a heading', () => {
  const broken = pages.flatMap(page =>
    linksOf(read(page))
      .filter(link => !resolves(page, link))
      .map(link => `${page}: ${link}`),
  )
  assert.deepEqual(broken, [])
})

test('every page of docs/ is in a section, and in the table of contents', () => {
  const ofDocs = pages.filter(page => page.startsWith('docs/'))
  assert.deepEqual(misplaced(ofDocs), [])
  assert.deepEqual(unlisted(ofDocs, read('docs/README.md')), [])
})

test('a page outside of the sections, or without a link in the table of contents, is refused', () => {
  const contents = '[Start](guides/start.md#first) and [Decisions](decisions/README.md)'
  const ofDocs = [
    'docs/README.md',
    'docs/security.md',
    'docs/guides/start.md',
    'docs/guides/deep/start.md',
    'docs/tips/start.md',
    'docs/internals/engine.md',
    'docs/decisions/README.md',
    'docs/decisions/001-choice.md',
  ]
  assert.deepEqual(misplaced(ofDocs), ['docs/security.md', 'docs/guides/deep/start.md', 'docs/tips/start.md'])
  assert.deepEqual(unlisted(ofDocs, contents), [
    'docs/security.md',
    'docs/guides/deep/start.md',
    'docs/tips/start.md',
    'docs/internals/engine.md',
  ])
})

test('source files and folders that prose names exist', () => {
  const paths = new Paths(root)
  const gone = named.flatMap(({ file, text, paths: found }) =>
    found(text)
      .filter(path => !paths.has(path, file))
      .map(path => `${file}: ${path}`),
  )
  assert.deepEqual(gone, [])
})

test('npm scripts and commands that prose names exist', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> }
  const commands = [...read('src/cli/main.ts').matchAll(/^ {2}(\w+): \{/gm)].map(([, name]) => name!)
  const gone = named.flatMap(({ file, text }) => {
    const { scripts: runs, sluice } = commandsOf(text)
    return [
      ...runs.filter(name => scripts[name] === undefined).map(name => `${file}: npm run ${name}`),
      ...sluice.filter(name => !commands.includes(name)).map(name => `${file}: sluice ${name}`),
    ]
  })
  assert.deepEqual(gone, [])
})

/** Pages that are not `docs/README.md` and not directly in a section. */
function misplaced(ofDocs: readonly string[]): readonly string[] {
  const inSection = /^docs\/(README|(guides|reference|internals|decisions)\/[^/]+)\.md$/
  return ofDocs.filter(page => !inSection.test(page))
}

/** Pages that the table of contents does not link to. `docs/decisions/README.md` lists the decisions. */
function unlisted(ofDocs: readonly string[], contents: string): readonly string[] {
  const listed = new Set(linksOf(contents).map(link => join('docs', link.replace(/#.*/, ''))))
  const single = /^docs\/(README|decisions\/\d{3}-.*)\.md$/
  return ofDocs.filter(page => !listed.has(page) && !single.test(page))
}

/** Targets of links and images, outside of code; addresses of other sites and of the server are left out. */
function linksOf(text: string): readonly string[] {
  const prose = text.replace(/^ *```.*?^ *```/gms, '').replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link!)
    .filter(link => !/^([a-z]+:|\/)/.test(link))
}

function resolves(page: string, link: string): boolean {
  const [path, anchor] = link.split('#') as [string, string | undefined]
  const target = path === '' ? page : relative(root, join(root, dirname(page), path))
  if (!existsSync(join(root, target))) return false
  return anchor === undefined || anchorsOf(read(target)).has(anchor)
}

/** The anchors that GitHub makes of headings. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const [, heading] of text.replace(/^ *```.*?^ *```/gms, '').matchAll(/^#+ (.*)$/gm)) {
    const plain = heading!.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = plain.replace(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-')
    let unique = anchor
    for (let count = 1; anchors.has(unique); count += 1) unique = `${anchor}-${count}`
    anchors.add(unique)
  }
  return anchors
}
