import { basename, dirname } from 'node:path'

/** A limit on the source files of folders, without tests. */
interface FolderLimit {
  readonly folders: RegExp
  readonly filesMax: number
}

/** The first one that matches a folder applies. */
const folderLimits: readonly FolderLimit[] = [
  // One file for each row of a table.
  { folders: /^src\/waf\/(transformations|operators)$|^src\/store\/migrations$/, filesMax: 100 },
  { folders: /^(src\/(edge|api)|dashboard\/src)(\/|$)/, filesMax: 15 },
  { folders: /^(src|test|conformance|bench|scripts)(\/|$)/, filesMax: 30 },
]

const source = /\.tsx?$/
const test = /\.test\.tsx?$/
const helpers = /\/testing\//
const product = /^(src|dashboard\/src)\//
/** The first or last word of a name that belongs to a test, or to a helper of tests. */
const namesOfTests = [
  /^(fake|fixture|mock|stub|test)s?-/,
  /(^|[-.])(fake|fixture|mock|stub|test|testing|test-support)s?\.tsx?$/,
  /\.spec\.tsx?$/,
]

/**
 * The problems of a tree: full folders, and product files with the names of tests.
 * @param files paths from the root of the repository
 * @returns one line each, with the remedy
 */
export function layoutProblems(files: readonly string[]): readonly string[] {
  const sources = files.filter(file => source.test(file) && !test.test(file))
  return [...fullFolders(sources), ...misleadingNames(sources)]
}

function fullFolders(sources: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const file of sources) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  return [...counts].flatMap(([folder, count]) => {
    const max = folderLimits.find(({ folders }) => folders.test(folder))?.filesMax ?? Infinity
    return count <= max ? [] : [`${folder}: ${count} source files; at most ${max}. Divide it by subject.`]
  })
}

function misleadingNames(sources: readonly string[]): readonly string[] {
  return sources
    .filter(file => product.test(file) && !helpers.test(file) && isNamedLikeATest(basename(file)))
    .map(file => `${file}: named like a test. Rename it, or move a helper of tests to a testing/ folder.`)
}

function isNamedLikeATest(name: string): boolean {
  return namesOfTests.some(pattern => pattern.test(name))
}
