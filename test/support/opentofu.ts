import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import type { Instance } from './sluice.ts'
import { requiredProvider, type TofuPrograms, tofuPrograms } from './tofu-programs.ts'

/** A folder with one configuration, applied to a running instance. */
export interface Configuration {
  /** Applies a text in place of the last one, or what is in the folder. @throws with the errors that OpenTofu prints */
  apply(text?: string): Promise<void>
  /** @returns the planned changes; empty when the next apply changes nothing */
  plan(): Promise<string>
  /** Attributes of a resource in the state. */
  attributes(address: string): Promise<Readonly<Record<string, unknown>>>
  /** Removes a resource from the state and imports it again. @throws as `apply` */
  import(address: string, id: string): Promise<void>
  /** Plans a text in place of the last one. @returns the plan in Terraform's JSON output format */
  planned(text: string): Promise<string>
  destroy(): Promise<void>
  /** Stops the provider and removes the folder. The applied resources stay. */
  close(): Promise<void>
}

/**
 * @param variables values of the configuration's input variables
 * @param existing a folder with a whole configuration; without it, a new one that names the provider
 */
export async function openConfiguration(
  sluice: Instance,
  variables: Readonly<Record<string, string>> = {},
  existing?: string,
): Promise<Configuration> {
  const programs = await tofuPrograms()
  const folder = existing ?? (await newFolder())
  const provider = await startProvider(programs, {
    CLOUDFLARE_BASE_URL: sluice.apiUrl,
    CLOUDFLARE_API_TOKEN: sluice.token,
  })
  const env = {
    ...process.env,
    TF_IN_AUTOMATION: '1',
    // The settings of the user are left out.
    TF_CLI_CONFIG_FILE: '/dev/null',
    TF_REATTACH_PROVIDERS: provider.address,
    ...Object.fromEntries(Object.entries(variables).map(([name, value]) => [`TF_VAR_${name}`, value])),
  }
  /** @returns the exit code and everything printed */
  const tofu = async (...words: string[]): Promise<{ code: number; output: string }> => {
    const options = { cwd: folder, env, maxBuffer: 16_000_000 }
    return promisify(execFile)(programs.tofu, [...words, '-no-color'], options).then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      error => ({ code: error.code, output: `${error.stdout}\n${error.stderr}` }),
    )
  }
  const succeed = async (...words: string[]) => {
    const { code, output } = await tofu(...words)
    if (code !== 0) throw new Error(`tofu ${words[0]}: ${output}`)
  }
  const close = async () => {
    provider.stop()
    await rm(folder, { recursive: true })
  }
  return {
    close,
    apply: async text => {
      if (text !== undefined) await writeFile(join(folder, 'main.tf'), text)
      await succeed('apply', '-auto-approve')
    },
    plan: async () => {
      const { code, output } = await tofu('plan', '-detailed-exitcode')
      return code === 0 ? '' : output
    },
    attributes: async address => {
      const { output } = await tofu('show', '-json')
      const { resources } = JSON.parse(output).values.root_module
      return resources.find((one: { address: string }) => one.address === address)?.values ?? {}
    },
    import: async (address, id) => {
      await succeed('state', 'rm', address)
      await succeed('import', address, id)
    },
    planned: async text => {
      await writeFile(join(folder, 'main.tf'), text)
      await succeed('plan', '-out', 'plan')
      const { output } = await tofu('show', '-json', 'plan')
      // Warnings about the caller's own configuration of OpenTofu come first.
      return output.slice(output.indexOf('{'))
    },
    destroy: async () => {
      try {
        await succeed('destroy', '-auto-approve')
      } finally {
        await close()
      }
    },
  }
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-tofu-'))
  await writeFile(join(folder, 'provider.tf'), requiredProvider)
  return folder
}

/**
 * One provider for all runs in a folder, because its start takes most of the time of a run.
 * @returns its address as `TF_REATTACH_PROVIDERS` names it
 */
async function startProvider(
  { provider: program, registry }: TofuPrograms,
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
      if (address !== undefined) resolve({ address: address.replace(/registry\.\w+\.\w+/, registry), stop })
    })
  })
}
