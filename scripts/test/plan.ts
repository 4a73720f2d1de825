import { globSync } from 'node:fs'
import { join } from 'node:path'

/** Test files that run in one process. */
export interface Job {
  readonly name: string
  /** Absolute paths; several share the process. */
  readonly files: readonly string[]
}

const testFolders = ['src', 'dashboard/src', 'test', 'conformance', 'scripts']

/** Folders whose tests share processes. They use free ports and temporary folders, so they do not disturb each other. */
const together = [
  'src/kit',
  'src/model',
  'src/regex',
  'src/detect',
  'src/seclang',
  'src/expressions',
  'src/logfilter',
  'src/rulesets',
  'src/waf',
  'src/crs',
  'src/outgoing',
  'src/bus',
  'src/store',
  'src/analytics',
  'src/logpush',
  'src/edge',
  'src/api',
  'src/app',
  'src/acme',
  'src/alerts',
  'src/agents',
  'src/health',
  'src/coverage',
  'src/cli',
  'dashboard/src',
  'test/dashboard',
  'conformance',
  'scripts',
]

/** `npm run check` runs it. */
const ofTheCheck = ['scripts/docs.test.ts']

/** More would leave one long job to a single core at the end. */
const flowsTogetherMax = 7

/** Their tests look at the whole process, at its garbage or its memory, or they start another Chromium. */
const alone = [
  'src/edge/connection/garbage.test.ts',
  'src/waf/prefilter/memo.test.ts',
  'test/dashboard/walk.test.ts',
]

/** The longest begin first, so that no core runs one of them alone at the end. */
const slowFirst = [
  'test/dashboard',
  'test/e2e/docs-commands.test.ts',
  'test/e2e/two-machines.test.ts',
  'test/faults/faults.test.ts',
  'src/api',
  'src/waf',
  'src/cli',
  'test/e2e/log-full.test.ts',
  'test/e2e/challenge.test.ts',
  'src/logpush',
  'test/faults',
  'test/e2e/terraform-export.test.ts',
  'test/e2e/scale-out.test.ts',
  'test/e2e/crash.test.ts',
  'test/e2e/logpush.test.ts',
  'test/e2e/supervise.test.ts',
  'src/bus',
  'src/app',
  'src/edge',
  'test/e2e/start.test.ts',
  'test/e2e/edge-alone.test.ts',
  'test/e2e/backup.test.ts',
  'test/package.test.ts',
  'src/analytics',
  'src/store',
  'conformance',
  'src/crs',
  'test/examples.test.ts',
  'src/regex',
  'scripts',
  'src/expressions',
  'src/agents',
  'src/detect',
  'test/e2e',
  'test',
]

/** Every file and folder that the plan names. */
export const namedPaths: readonly string[] = [...together, ...alone, ...ofTheCheck, ...slowFirst]

/**
 * @param wanted files or folders, relative to the checkout; all when empty
 * @throws Error when one of them holds no test
 */
export function planJobs(root: string, wanted: readonly string[]): Job[] {
  const files =
    wanted.length === 0
      ? testsBelow(root, testFolders).filter(file => !ofTheCheck.includes(file))
      : wanted.flatMap(path => found(root, path))
  const shares = (file: string) => !alone.includes(file) && together.some(folder => isBelow(file, folder))
  const parts = together.flatMap(folder => {
    const its = files.filter(file => isBelow(file, folder) && shares(file))
    const count =
      folder === 'test/dashboard' ? Math.ceil(its.length / flowsTogetherMax) : Math.min(its.length, 1)
    return Array.from({ length: count }, (_, n) => ({
      name: count === 1 ? folder : `${folder} (${n + 1} of ${count})`,
      files: its.filter((_, at) => at % count === n),
    }))
  })
  const apart = files.filter(file => !shares(file)).map(file => ({ name: file, files: [file] }))
  return [...apart, ...parts]
    .toSorted((a, b) => rank(a.files[0]!) - rank(b.files[0]!))
    .map(part => ({
      name: part.files.length === 1 ? part.files[0]! : part.name,
      files: part.files.map(file => join(root, file)),
    }))
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
