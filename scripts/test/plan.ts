import { globSync } from 'node:fs'
import { join } from 'node:path'

/** Test files that run in one process. */
export interface Job {
  readonly name: string
  /** Absolute paths; several share the process. */
  readonly files: readonly string[]
  /** Starts whole installations or browsers, and waits for them for most of its time. */
  readonly waits: boolean
}

const testFolders = ['src', 'dashboard/src', 'test', 'conformance', 'scripts']

/** Modules without files, sockets, clocks and state: their tests do not disturb each other. */
const pure = [
  'src/kit',
  'src/model',
  'src/regex',
  'src/detect',
  'src/seclang',
  'src/expressions',
  'src/logfilter',
  'src/rulesets',
  'dashboard/src',
]

/** Whole installations, browsers and killed processes. */
const installations = ['test/faults', 'test/e2e', 'test/dashboard']

/** The longest begin first, so that no core runs one of them alone at the end. */
const slowFirst = [
  'test/e2e/two-machines.test.ts',
  'test/e2e/docs-commands.test.ts',
  'test/faults',
  'test/dashboard/logpush.test.ts',
  'test/dashboard/ground.test.ts',
  'test/dashboard/custom-rules.test.ts',
  'test/dashboard/events.test.ts',
  'test/dashboard/crs-releases.test.ts',
  'test/dashboard',
  'test',
  'src/cli',
  'conformance/logpush-api',
  'src/waf',
  'src/api/http',
  'scripts',
  'src/store',
  'src/app',
  'src/bus',
  'src/logpush',
]

/**
 * @param wanted files or folders, relative to the checkout; all when empty
 * @throws Error when one of them holds no test
 */
export function planJobs(root: string, wanted: readonly string[]): Job[] {
  const files =
    wanted.length === 0 ? testsBelow(root, testFolders) : wanted.flatMap(path => found(root, path))
  const below = (folders: readonly string[]) => (file: string) =>
    folders.some(folder => isBelow(file, folder))
  const aJob = (name: string, its: readonly string[]): Job => ({
    name,
    files: its.map(file => join(root, file)),
    waits: its.some(below(installations)),
  })
  const apart = files.filter(file => !below(pure)(file))
  return [
    ...apart.toSorted((a, b) => rank(a) - rank(b)).map(file => aJob(file, [file])),
    ...pure.map(folder => aJob(folder, files.filter(below([folder])))).filter(job => job.files.length > 0),
  ]
}

function found(root: string, path: string): string[] {
  const files = path.endsWith('.test.ts') ? globSync(path, { cwd: root }) : testsBelow(root, [path])
  if (files.length === 0) throw new Error(`${path} is not a test file and holds none`)
  return files
}

function testsBelow(root: string, folders: readonly string[]): string[] {
  return folders
    .flatMap(folder => globSync(`${folder.replace(/\/$/, '')}/**/*.test.ts`, { cwd: root }))
    .toSorted()
}

function isBelow(file: string, folder: string): boolean {
  return file.startsWith(`${folder}/`)
}

function rank(file: string): number {
  const index = slowFirst.findIndex(path => file === path || isBelow(file, path))
  return index < 0 ? slowFirst.length : index
}
