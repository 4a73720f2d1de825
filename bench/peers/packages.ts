import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { suiteOptions } from '../../src/kit/testing/debian-suite.ts'

const run = promisify(execFile)

const caches = join(import.meta.dirname, '../../node_modules/.cache')
const listName = 'packages.txt'

/** Debian's packages, unpacked beside each other: nothing is installed and no service starts. */
export class PeerPackages {
  /** Directory where they are unpacked. */
  readonly root: string
  readonly #versions: ReadonlyMap<string, string>

  constructor(root: string, versions: ReadonlyMap<string, string>) {
    this.root = root
    this.#versions = versions
  }

  /** Path of a file in a package; packages of the system are in their usual location. */
  path(installed: string): string {
    const unpacked = join(this.root, installed)
    return existsSync(unpacked) ? unpacked : installed
  }

  /** `1.22.1-9+deb12u10`; undefined if the system has the package. */
  version(name: string): string | undefined {
    return this.#versions.get(name)
  }

  async environment(): Promise<NodeJS.ProcessEnv> {
    return { ...process.env, LD_LIBRARY_PATH: (await this.libraries()).join(':') }
  }

  /** The command that starts a program with the C library of these packages, which may be newer than the system's. */
  async command(installed: string, args: readonly string[]): Promise<readonly [string, ...string[]]> {
    const [directory, ...others] = await this.libraries()
    const loader = (await readdir(directory!)).find(name => name.startsWith('ld-linux-'))
    if (loader === undefined) throw new Error(`${this.root} has no C library`)
    const libraries = [directory, ...others].join(':')
    return [join(directory!, loader), '--library-path', libraries, this.path(installed), ...args]
  }

  /** Directories of shared libraries. */
  async libraries(): Promise<readonly string[]> {
    const libraries = join(this.root, 'usr/lib')
    const names = await readdir(libraries)
    return names.filter(name => name.endsWith('-linux-gnu')).map(name => join(libraries, name))
  }
}

/** The newest nginx and Apache with ModSecurity that Debian has. @throws Error as `obtainPackages` does */
export function obtainPeers(): Promise<PeerPackages> {
  const wanted = ['nginx', 'libnginx-mod-http-modsecurity', 'apache2-bin', 'libapache2-mod-security2']
  return obtainPackages('bench-peers-newest', wanted, 'sid')
}

/**
 * Downloads missing packages; the second run finds them below node_modules/.cache.
 * @param name of their directory there
 * @param suite of Debian, from which everything down to the C library comes; undefined: what the system lacks, from its suite
 * @throws Error with the reason in one sentence why they are not available
 */
export async function obtainPackages(
  name: string,
  wanted: readonly string[],
  suite?: string,
): Promise<PeerPackages> {
  const cache = join(caches, name)
  if (!existsSync(join(cache, listName))) await download(cache, wanted, suite)
  const lines = (await readFile(join(cache, listName), 'utf8')).trim().split('\n')
  return new PeerPackages(cache, new Map(lines.map(line => line.split(' ') as [string, string])))
}

async function download(cache: string, wanted: readonly string[], suite: string | undefined): Promise<void> {
  await mkdir(caches, { recursive: true })
  const directory = await mkdtemp(`${cache}-`)
  const lists = `${directory}-lists`
  try {
    const options = suite === undefined ? [] : await suiteOptions(suite, lists)
    const missing = await missingPackages(wanted, options)
    const names = missing.map(([name]) => name)
    // As root, apt would download as another user, who may not write here.
    await run('apt-get', [...options, 'download', '-q', '-o', 'APT::Sandbox::User=root', ...names], {
      cwd: directory,
    })
    for (const file of await readdir(directory)) {
      await run('dpkg-deb', ['-x', file, '.'], { cwd: directory })
      await rm(join(directory, file))
    }
    await writeFile(join(directory, listName), missing.map(entry => `${entry.join(' ')}\n`).join(''))
    await rename(directory, cache)
  } finally {
    for (const left of [directory, lists]) await rm(left, { recursive: true, force: true })
  }
}

/** Names and versions of the packages that an installation would add. */
async function missingPackages(
  wanted: readonly string[],
  options: readonly string[],
): Promise<readonly (readonly [name: string, version: string])[]> {
  const simulation = await simulate(wanted, options).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Error('there is no apt-get: the peers come from Debian packages')
    if (options.length === 0 && process.getuid?.() !== 0) {
      throw new Error(
        'apt-get does not know the packages; run `apt-get update` as root, or the bench as root',
      )
    }
    await run('apt-get', [...options, 'update', '-q'])
    return simulate(wanted, options)
  })
  return [...simulation.matchAll(/^Inst (\S+) (?:\[\S+\] )?\((\S+)/gm)].map(match => [match[1]!, match[2]!])
}

async function simulate(wanted: readonly string[], options: readonly string[]): Promise<string> {
  const { stdout } = await run('apt-get', [
    ...options,
    'install',
    '-s',
    '-q',
    '--no-install-recommends',
    ...wanted,
  ])
  return stdout
}
