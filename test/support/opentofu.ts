import { execFile, spawn } from 'node:child_process'
import { createWriteStream, existsSync } from 'node:fs'
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { without } from '../../src/agents/testing/proxies.ts'
import type { Instance } from './sluice.ts'

/** OpenTofu and Cloudflare's provider, as they are packed beside the checkout. They are not part of the project. */
const shared = join(import.meta.dirname, '../../../shared/terraform')
const packed = join(shared, 'bin')
/** Where OpenTofu looks for providers that name no registry. */
const openTofuRegistry = 'registry.opentofu.org'
const programs = ['tofu', 'terraform-provider-cloudflare']

/** The reason to skip tests that need them; false when they are there. */
export const withoutTofu: string | false = existsSync(packed) ? without('xz') : 'no OpenTofu'

/** The provider's own configurations: a folder for each resource. Absent without the programs. */
export const providerFixtures = join(shared, 'fixtures')

/** A folder with one configuration, applied to a running instance. */
export interface Configuration {
  /** Applies a text in place of the last one. @throws with the errors that OpenTofu prints */
  apply(text: string): Promise<void>
  /** @returns the planned changes; empty when the next apply changes nothing */
  plan(): Promise<string>
  destroy(): Promise<void>
}

/** @param variables values of the configuration's input variables */
export async function openConfiguration(
  sluice: Instance,
  variables: Readonly<Record<string, string>> = {},
): Promise<Configuration> {
  const home = await unpacked()
  const folder = await mkdtemp(join(tmpdir(), 'sluice-tofu-'))
  await writeFile(
    join(folder, 'provider.tf'),
    'terraform {\n  required_providers {\n    cloudflare = { source = "cloudflare/cloudflare" }\n  }\n}\n',
  )
  const provider = await startProvider(join(home, 'terraform-provider-cloudflare'), {
    CLOUDFLARE_BASE_URL: sluice.apiUrl,
    CLOUDFLARE_API_TOKEN: sluice.token,
  })
  const env = {
    ...process.env,
    TF_IN_AUTOMATION: '1',
    TF_REATTACH_PROVIDERS: provider.address,
    ...Object.fromEntries(Object.entries(variables).map(([name, value]) => [`TF_VAR_${name}`, value])),
  }
  /** @returns the exit code and everything printed */
  const tofu = async (...words: string[]): Promise<{ code: number; output: string }> => {
    const options = { cwd: folder, env, maxBuffer: 16_000_000 }
    return promisify(execFile)(join(home, 'tofu'), [...words, '-no-color'], options).then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      error => ({ code: error.code, output: `${error.stdout}\n${error.stderr}` }),
    )
  }
  const succeed = async (...words: string[]) => {
    const { code, output } = await tofu(...words)
    if (code !== 0) throw new Error(`tofu ${words[0]}: ${output}`)
  }
  return {
    apply: async text => {
      await writeFile(join(folder, 'main.tf'), text)
      await succeed('apply', '-auto-approve')
    },
    plan: async () => {
      const { code, output } = await tofu('plan', '-detailed-exitcode')
      return code === 0 ? '' : output
    },
    destroy: async () => {
      try {
        await succeed('destroy', '-auto-approve')
      } finally {
        provider.stop()
        await rm(folder, { recursive: true })
      }
    },
  }
}

/**
 * One provider for all runs in a folder, because its start takes most of the time of a run.
 * @returns its address as `TF_REATTACH_PROVIDERS` names it
 */
async function startProvider(
  program: string,
  settings: Readonly<Record<string, string>>,
): Promise<{ readonly address: string; stop(): void }> {
  const child = spawn(program, ['-debug'], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const stop = () => void child.kill()
  process.once('exit', stop)
  child.once('exit', () => process.off('exit', stop))
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${program} ended before it listened`)))
    createInterface(child.stdout).on('line', line => {
      const [, address] = /TF_REATTACH_PROVIDERS='(.*)'/.exec(line) ?? []
      if (address !== undefined)
        resolve({ address: address.replace(/registry\.\w+\.\w+/, openTofuRegistry), stop })
    })
  })
}

/** Unpacked once a machine. @returns the folder */
async function unpacked(): Promise<string> {
  const home = join(tmpdir(), 'sluice-test-opentofu-1.12.6')
  if (existsSync(home)) return home
  const aside = await mkdtemp(`${home}-`)
  for (const program of programs) {
    const unpack = spawn('xz', ['-dc', join(packed, `${program}.xz`)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await pipeline(unpack.stdout, createWriteStream(join(aside, program)))
    await chmod(join(aside, program), 0o755)
  }
  await rename(aside, home)
  return home
}
