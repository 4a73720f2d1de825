import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { crsForTests } from './crs-for-tests.ts'
import { keepData, lendData } from './kept-data.ts'
import { importedData, productEntry } from './product.ts'

const root = join(import.meta.dirname, '..', '..')

export interface Instance {
  /** Empty without the control role. */
  readonly apiUrl: string
  /** Empty, and its port 0, without the edge role. */
  readonly edgeUrl: string
  /** Empty without `SLUICE_HEALTH_LISTEN`. */
  readonly healthUrl: string
  readonly edgePort: number
  readonly token: string
  readonly data: string
  readonly pid: number
  /** Its output so far, standard output and standard error. */
  output(): string
  /** SIGTERM; resolves with the exit code, null if it had to be killed. */
  stop(): Promise<number | null>
  /** SIGKILL of the whole group, as a crash would. */
  kill(): Promise<void>
}

export interface InstanceOptions {
  /** Undefined settings are removed, also if this module would set one. */
  readonly settings?: { readonly [variable: string]: string | undefined }
  /**
   * An existing data directory. Without it a new one is created, and if `SLUICE_CRS` is the release for tests, it is
   * imported there already: tests of the import itself name a directory.
   */
  readonly data?: string
  /** The program and its words, for others than `sluice serve`. */
  readonly command?: readonly string[]
}

export const testToken = 'test-token-0123456789abcdefghijklmnopqrst'

/**
 * Directory of the CRS release that tests run with: what `SLUICE_TEST_CRS` names, the one beside the checkout, or the one
 * that `npm test` obtained (`scripts/test-setup.ts`). It is absent where none was found; the CRS is not part of the
 * project.
 */
export const testCrs = crsForTests(root)

/** Without what is for tests alone: Sluice refuses settings that it does not know. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('SLUICE_TEST_')),
)

/** Starts `sluice serve`, or another command, as a user does, on free ports, and waits for its ready line. */
export async function startSluice(options: InstanceOptions = {}): Promise<Instance> {
  const data = options.data ?? (await newData(options.settings))
  const settings: NonNullable<InstanceOptions['settings']> = {
    SLUICE_DATA: data,
    SLUICE_API_LISTEN: '127.0.0.1:0',
    SLUICE_EDGE_LISTEN: '127.0.0.1:0',
    SLUICE_EDGE_TLS_LISTEN: 'none',
    SLUICE_ADMIN_TOKEN: testToken,
    SLUICE_WORKERS: '1',
    SLUICE_DESTINATIONS: 'loopback',
    SLUICE_DESTINATION_DIRECTORY: tmpdir(),
    ...options.settings,
  }
  const child = spawn(process.execPath, options.command ?? [productEntry, 'serve'], {
    cwd: root,
    detached: true,
    env: { ...environment, ...settings },
  })
  // A test that fails before it stops its instance leaves none behind.
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  child.stderr.on('data', chunk => (output += chunk))
  const ready = await untilReady(child, () => output)
  return {
    ...ready,
    token: settings['SLUICE_ADMIN_TOKEN'] ?? (await readFile(join(data, 'admin-token'), 'utf8')).trim(),
    data,
    pid: child.pid!,
    output: () => output,
    stop: async () => {
      const code = await ended(child, () => child.kill('SIGTERM'))
      await keepData(data)
      return code
    },
    kill: async () => {
      await ended(child, () => process.kill(-child.pid!, 'SIGKILL'))
    },
  }
}

/**
 * A data directory for an instance with these settings: for tests that name it before the start, and do not look at the
 * import of the CRS.
 */
export async function newData(settings: InstanceOptions['settings'] = {}): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'sluice-'))
  const wantsCrs = settings['SLUICE_CRS'] === testCrs && settings['SLUICE_DATABASE_URL'] === undefined
  if (wantsCrs && importedData !== undefined && existsSync(importedData))
    await cp(importedData, data, { recursive: true })
  await lendData(data)
  return data
}

/** Ends an instance and removes what it kept. */
export async function discard(instance: Instance): Promise<void> {
  await instance.stop()
  await rm(instance.data, { recursive: true, force: true })
}

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs one command to its end, as `npx sluice WORDS` does. */
export async function runSluice(
  words: readonly string[],
  settings: { readonly [variable: string]: string } = {},
): Promise<Finished> {
  const child = spawn(process.execPath, [productEntry, ...words], {
    cwd: root,
    env: { ...environment, ...settings },
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), readyTimeoutMs)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  clearTimeout(timer)
  return { code, stdout, stderr }
}

/** One call of the API with the administrator's token. */
export async function api(
  instance: Instance,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiAnswer> {
  const response = await fetch(`${instance.apiUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${instance.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, ...(text === '' ? {} : JSON.parse(text)) } as ApiAnswer
}

export interface ApiAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly result: any
  readonly success: boolean
  readonly errors: readonly {
    readonly code: number
    readonly message: string
    readonly source?: { readonly pointer: string }
  }[]
}

/** The whole lines of a file that may be growing: the last one can be there in part. */
export async function readJsonLines(path: string): Promise<unknown[]> {
  const lines = (await readFile(path, 'utf8')).split('\n')
  return lines.slice(0, -1).map(line => JSON.parse(line))
}

const readyTimeoutMs = 60_000
const stopTimeoutMs = 45_000

function untilReady(
  child: ChildProcess,
  output: () => string,
): Promise<{ apiUrl: string; edgeUrl: string; healthUrl: string; edgePort: number }> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`sluice did not start: ${why}\n${output()}`))
    const timer = setTimeout(() => {
      process.kill(-child.pid!, 'SIGKILL')
      fail('no ready line in time')
    }, readyTimeoutMs)
    child.once('exit', code => {
      clearTimeout(timer)
      fail(`it ended with code ${code}`)
    })
    child.stdout!.on('data', () => {
      const line = /^sluice ready:.*$/m.exec(output())?.[0]
      if (line === undefined || !output().includes(`${line}\n`)) return
      clearTimeout(timer)
      const apiUrl = / api (\S+)/.exec(line)?.[1] ?? ''
      const edgeUrl = / edge (\S+)/.exec(line)?.[1] ?? ''
      const healthUrl = / health (\S+)/.exec(line)?.[1] ?? ''
      resolve({ apiUrl, edgeUrl, healthUrl, edgePort: edgeUrl === '' ? 0 : Number(new URL(edgeUrl).port) })
    })
  })
}

function ended(child: ChildProcess, end: () => void): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise(resolve => {
    const force = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), stopTimeoutMs)
    child.once('exit', code => {
      clearTimeout(force)
      resolve(code)
    })
    end()
  })
}
