import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Coverage } from './coverage.ts'
import type { Mutant } from './mutants.ts'

const reporter = join(import.meta.dirname, 'first-failure.ts')

/** The result of one test file. */
export type TestOutcome =
  | { readonly kind: 'passed' }
  /** @property by name of the first test that failed, or how the process ended without one */
  | { readonly kind: 'failed'; readonly by: string }

/**
 * A copy of the repository to mutate and test. Tests write to the copy only, because a mutant may delete or overwrite the
 * wrong file. Data beside the repository is not copied.
 */
export class Tree {
  readonly #parent = mkdtempSync(join(tmpdir(), 'sluice-mutations-'))
  readonly #folder = join(this.#parent, 'tree')
  readonly #temporary = join(this.#folder, 'tmp')

  /** @param root folder of the repository */
  constructor(root: string) {
    const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root })
    for (const file of files.toString().split('\0')) {
      if (file !== '' && existsSync(join(root, file))) cpSync(join(root, file), join(this.#folder, file))
    }
    mkdirSync(this.#temporary)
    // Node finds packages in a parent folder too, and tests cannot write there.
    symlinkSync(join(root, 'node_modules'), join(this.#parent, 'node_modules'))
  }

  read(file: string): string {
    return readFileSync(join(this.#folder, file), 'utf8')
  }

  /** @returns a function that restores the file */
  apply({ file, start, end, replacement }: Mutant): () => void {
    const before = this.read(file)
    const path = join(this.#folder, file)
    writeFileSync(path, before.slice(0, start) + replacement + before.slice(end))
    return () => writeFileSync(path, before)
  }

  /** @param msMax a test that takes longer has failed: a mutant may never end a loop */
  run(testFile: string, msMax: number): Promise<TestOutcome> {
    const others = ['addons', 'child-process', 'net', 'worker'].map(name => `--allow-${name}`)
    const flags = ['--permission', '--allow-fs-read=*', `--allow-fs-write=${this.#folder}`, ...others]
    return this.#run(testFile, msMax, flags, { NODE_COMPILE_CACHE: join(this.#temporary, 'cache') })
  }

  /** Runs a test on the unchanged code and records its coverage. */
  async measure(testFile: string, msMax: number): Promise<{ outcome: TestOutcome; reaches: Reaches }> {
    const folder = mkdtempSync(join(this.#temporary, 'coverage-'))
    const outcome = await this.#run(testFile, msMax, [], { NODE_V8_COVERAGE: folder })
    const coverage = new Coverage(folder)
    return { outcome, reaches: ({ file, start }) => coverage.reaches(join(this.#folder, file), start) }
  }

  #run(
    testFile: string,
    msMax: number,
    flags: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): Promise<TestOutcome> {
    const child = spawn(process.execPath, [...flags, '--test-reporter', reporter, testFile], {
      cwd: this.#folder,
      env: { ...process.env, ...environment, TMPDIR: this.#temporary, NODE_NO_WARNINGS: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: msMax,
      killSignal: 'SIGKILL',
    })
    let out = ''
    let errors = ''
    child.stdout.on('data', part => {
      out += part
    })
    child.stderr.on('data', part => {
      errors = (errors + part).slice(-10_000)
    })
    return new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code, signal) => {
        if (code === 0) resolve({ kind: 'passed' })
        else if (signal === 'SIGKILL') resolve({ kind: 'failed', by: 'it timed out' })
        else resolve({ kind: 'failed', by: out === '' ? errors.trim() : out })
      })
    })
  }

  remove(): void {
    rmSync(this.#parent, { recursive: true, force: true })
  }
}

/** Does the test execute the mutated code? */
export type Reaches = (mutant: Mutant) => boolean
