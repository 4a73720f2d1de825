import { spawnSync } from 'node:child_process'

/** A server or tool of another project that tests run against. */
export interface TestServer {
  /** The names of its test files begin with it. */
  readonly name: string
  /** Each version is built separately, beside older ones. */
  readonly version: string
  /** Commands that the machine needs to build and run it. */
  readonly needs: readonly string[]
  /** Environment variable with its directory, for its tests. */
  readonly variable: string
  /** Builds it in an empty directory. @throws Error if that fails */
  build(directory: string): Promise<void>
}

/** Runs a command with inherited output. @throws Error if it fails */
export function run(command: string, words: readonly string[], cwd: string): void {
  const { status, error } = spawnSync(command, words, { cwd, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ${words.join(' ')} failed`, { cause: error })
}
