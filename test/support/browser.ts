import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createBrotliDecompress } from 'node:zlib'
import { type Browser, chromium } from 'playwright-core'
import { extract } from 'tar'
import { shared } from './shared.ts'

/**
 * Starts a real Chromium: the system's, else the one that comes with npm; `SLUICE_TEST_CHROMIUM=packaged` starts the
 * latter alone. Every host name leads to this machine, so that zones of tests can be visited by name and nothing else
 * can be reached.
 * @returns undefined when neither starts, with a word about it on standard error
 */
export async function launchBrowser(): Promise<Browser | undefined> {
  const reasons: string[] = []
  const packagedOnly = process.env['SLUICE_TEST_CHROMIUM'] === 'packaged'
  for (const find of packagedOnly ? [packagedChromium] : [systemChromium, packagedChromium]) {
    try {
      const found = await find()
      if (found === undefined) continue
      return await chromium.launch({ ...found, args: [...flags] })
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error))
    }
  }
  console.error(`no Chromium starts here:\n${reasons.join('\n')}`)
  return undefined
}

const browsers = shared(launchBrowser, async browser => browser?.close())

/** @returns the browser that all suites of this process share; undefined when none starts */
export const borrowBrowser = browsers.borrow

export const returnBrowser = browsers.giveBack

const flags: readonly string[] = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-gpu',
  '--host-resolver-rules=MAP * 127.0.0.1',
]

interface Executable {
  readonly executablePath: string
  readonly env?: { readonly [name: string]: string }
}

/** The shell has the engine without windows: a page opens in a fraction of the time. */
async function systemChromium(): Promise<Executable | undefined> {
  const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync)
  return executablePath === undefined ? undefined : { executablePath }
}

/** Unpacked once a machine, with fonts for machines that have none. */
async function packagedChromium(): Promise<Executable> {
  const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'))
  const root = join(dirname(entry), '..', '..')
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const home = join(tmpdir(), `sluice-test-chromium-${version}`)
  if (!existsSync(home)) await unpack(join(root, 'bin'), home)
  const env = { ...process.env, FONTCONFIG_FILE: join(home, 'fonts.conf') } as { [name: string]: string }
  return { executablePath: join(home, 'chromium'), env }
}

/** Unpacks aside and renames: test files run at the same time, and one that is ended leaves nothing half done. */
async function unpack(packed: string, home: string): Promise<void> {
  const aside = await mkdtemp(`${home}-`)
  const inflate = (name: string, into: NodeJS.WritableStream) =>
    pipeline(createReadStream(join(packed, name)), createBrotliDecompress(), into)
  try {
    await mkdir(join(aside, 'fonts'))
    await inflate('chromium.br', createWriteStream(join(aside, 'chromium'), { mode: 0o755 }))
    await inflate('fonts.tar.br', extract({ cwd: join(aside, 'fonts') }))
    await writeFile(join(aside, 'fonts.conf'), fontConfiguration(home))
    await rename(aside, home)
  } catch (error) {
    await rm(aside, { recursive: true, force: true })
    // Another test was faster.
    if (!existsSync(home)) throw error
  }
}

function fontConfiguration(home: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>/usr/share/fonts</dir><dir>${home}/fonts</dir><cachedir>${home}/font-cache</cachedir></fontconfig>
`
}
