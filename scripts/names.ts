import { existsSync, globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Finds the files, npm scripts and commands that prose names. */

const folders = ['src', 'docs', 'test', 'scripts', 'examples', 'dashboard', 'bench', 'conformance', 'bin']
const pathInFolder = new RegExp(`(?<![\\w/.~:$-])(?:${folders.join('|')})/[\\w./<>*{},…-]*[\\w/>*}…]`, 'g')
/** Folders that a build makes. */
const built = ['dashboard/dist', 'dist']

/** The text of the comments of a source file. */
export function commentsOf(source: string): string {
  return [...source.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm)].map(([comment]) => comment).join('\n')
}

/** Paths in backticks that begin with a folder of the repository, and names of TypeScript files, also in drawings. */
export function pathsOfPage(page: string): readonly string[] {
  const prose = page.replace(/^ *```.*?^ *```/gms, '')
  const inline = [...prose.matchAll(/`([^`\s]+)`/g)].map(([, code]) => code!)
  return withFileNames(
    inline.filter(code => folders.some(folder => code.startsWith(`${folder}/`))),
    page,
  )
}

/** The same in comments, also without backticks. */
export function pathsOfComments(comments: string): readonly string[] {
  return withFileNames(
    [...comments.matchAll(pathInFolder)].map(([path]) => path),
    comments,
  )
}

function withFileNames(paths: readonly string[], text: string): readonly string[] {
  const files = [...text.matchAll(/(?<![\w/.<>*…-])[\w{},/-]+\.tsx?\b/g)].map(([file]) => file)
  return [...paths, ...files.filter(file => !paths.includes(file))].map(path => path.replace(/:\d+$/, ''))
}

/**
 * Whether a path that prose names exists. `<name>` and `…` stand for any text, and a file that a reader is told to add
 * needs only its folder.
 */
export class Paths {
  readonly #root: string
  readonly #names: ReadonlySet<string>

  constructor(root: string) {
    this.#root = root
    const sources = globSync('{src,test,scripts,bench,conformance,dashboard}/**/*.{ts,tsx}', { cwd: root })
    this.#names = new Set(sources.map(file => basename(file)))
  }

  /** @param from the file that names the path: it may be relative to its folder, to `src` or to the repository */
  has(path: string, from: string): boolean {
    if (!path.includes('/')) return this.#names.has(path)
    if (built.includes(path)) return true
    const pattern = path.replace(/<[^>]*>|…/g, '*').replace(/\/$/, '')
    const folder = dirname(from)
    return ['', 'src', 'src/waf', folder, dirname(folder)].some(base => this.#matches(join(base, pattern)))
  }

  #matches(pattern: string): boolean {
    const star = pattern.indexOf('*')
    const folder = star > 0 && dirname(pattern.slice(0, star + 1))
    return (
      globSync(pattern, { cwd: this.#root }).length > 0 ||
      (folder !== false && folder !== '.' && existsSync(join(this.#root, folder)))
    )
  }
}

/** Names of npm scripts and of `sluice` commands. */
export function commandsOf(text: string): {
  readonly scripts: readonly string[]
  readonly sluice: readonly string[]
} {
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name!)
  return {
    scripts: found(/npm run (?:-s )?([a-z][\w:-]*)/g),
    sluice: found(/(?:npx |`)sluice ([a-z]+)\b/g),
  }
}
