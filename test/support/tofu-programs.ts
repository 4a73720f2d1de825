import { execFile, spawn } from 'node:child_process'
import { createWriteStream, existsSync, readdirSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { without } from '../../src/agents/testing/proxies.ts'

/** OpenTofu and Cloudflare's provider, as they are packed beside the checkout. They are not part of the project. */
const shared = join(import.meta.dirname, '../../../shared/terraform')
const packed = join(shared, 'bin')
const providerName = 'terraform-provider-cloudflare'

/** The first of these programs on the path; undefined if it has neither. */
const installed = (['tofu', 'terraform'] as const).find(program => without(program) === false)

/** The reason to skip tests that need them; false when they are there. */
export const withoutTofu: string | false = existsSync(packed)
  ? without('xz')
  : installed === undefined && 'neither ../shared/terraform nor tofu or terraform on the path'

/** The provider's own configurations: a folder for each resource. Absent without `../shared`. */
export const providerFixtures = join(shared, 'fixtures')

export interface TofuPrograms {
  /** OpenTofu or Terraform. */
  readonly tofu: string
  readonly provider: string
  /** The registry that the program adds to names of providers: `registry.opentofu.org`. */
  readonly registry: string
}

/** A configuration that names the provider. */
export const requiredProvider =
  'terraform {\n  required_providers {\n    cloudflare = { source = "cloudflare/cloudflare", version = "~> 5.22" }\n  }\n}\n'

/** Unpacks or downloads them once a machine. @throws Error when the provider is not available */
export async function tofuPrograms(): Promise<TofuPrograms> {
  if (existsSync(packed)) {
    const home = await unpacked()
    return {
      tofu: join(home, 'tofu'),
      provider: join(home, providerName),
      registry: 'registry.opentofu.org',
    }
  }
  const tofu = installed!
  const registry = tofu === 'tofu' ? 'registry.opentofu.org' : 'registry.terraform.io'
  return { tofu, provider: await downloaded(tofu), registry }
}

async function unpacked(): Promise<string> {
  const home = join(tmpdir(), 'sluice-test-opentofu-1.12.6')
  if (existsSync(home)) return home
  const aside = await mkdtemp(`${home}-`)
  for (const program of ['tofu', providerName]) {
    const unpack = spawn('xz', ['-dc', join(packed, `${program}.xz`)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await pipeline(unpack.stdout, createWriteStream(join(aside, program)))
    await chmod(join(aside, program), 0o755)
  }
  await rename(aside, home)
  return home
}

/** Lets the user's program fetch the provider. @returns the provider's program */
async function downloaded(tofu: string): Promise<string> {
  const home = join(tmpdir(), `sluice-test-${tofu}-provider-5`)
  const known = () =>
    readdirSync(home, { recursive: true, encoding: 'utf8' }).find(path =>
      basename(path).startsWith(`${providerName}_`),
    )
  await mkdir(home, { recursive: true })
  if (known() === undefined) {
    await writeFile(join(home, 'main.tf'), requiredProvider)
    await promisify(execFile)(tofu, ['init', '-no-color'], { cwd: home })
  }
  const provider = known()
  if (provider === undefined) throw new Error(`${tofu} init left no ${providerName} in ${home}`)
  return join(home, provider)
}
