import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Mutation, mutated } from './mutation.ts'

const root = join(import.meta.dirname, '../..')

/** A test that runs longer has not ended: a mistake may make a loop endless. */
const testMsMax = 180_000

/** What became of one test file. */
export type TestOutcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly test: string }
  /** No test failed, but the process did: the mistake is no valid program. */
  | { readonly kind: 'broken'; readonly message: string }

/** A copy of the sources of its own, in which mistakes can be made. Data beside the repository is out of its reach. */
export class Tree {
  readonly #parent = mkdtempSync(join(tmpdir(), 'sluice-mutations-'))
  /** In a folder of its own, so that nothing stands beside it. */
  readonly #folder = join(this.#parent, 'tree')

  constructor() {
    cpSync(join(root, 'src'), join(this.#folder, 'src'), { recursive: true })
    cpSync(join(root, 'package.json'), join(this.#folder, 'package.json'))
    symlinkSync(join(root, 'node_modules'), join(this.#folder, 'node_modules'))
  }

  /** @returns a function that takes the mistake back; undefined when the place for it is not there */
  apply(mutation: Mutation): (() => void) | undefined {
    const path = join(this.#folder, mutation.file)
    const before = readFileSync(path, 'utf8')
    const after = mutated(before, mutation)
    if (after === undefined) return undefined
    writeFileSync(path, after)
    return () => writeFileSync(path, before)
  }

  run(testFile: string): Promise<TestOutcome> {
    const reporter = join(import.meta.dirname, 'first-failure.ts')
    const child = spawn(process.execPath, ['--test-reporter', reporter, testFile], {
      cwd: this.#folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: testMsMax,
      killSignal: 'SIGKILL',
    })
    let out = ''
    let errors = ''
    child.stdout.on('data', part => {
      out += part
    })
    child.stderr.on('data', part => {
      errors += part
    })
    return new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code, signal) => {
        if (code === 0) resolve({ kind: 'passed' })
        else if (signal === 'SIGKILL') resolve({ kind: 'failed', test: 'it does not end' })
        else if (out !== '') resolve({ kind: 'failed', test: out })
        else resolve({ kind: 'broken', message: errors })
      })
    })
  }

  remove(): void {
    rmSync(this.#parent, { recursive: true, force: true })
  }
}
