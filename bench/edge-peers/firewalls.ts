import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { without } from '../../src/agents/testing/proxies.ts'
import { freePort } from '../../src/kit/testing/free-port.ts'
import { obtainPackages, obtainPeers } from '../peers/packages.ts'
import { type OwnRules, writeRules } from '../peers/rules.ts'
import { PeerServer } from '../peers/server.ts'
import { type Level, openRelease } from '../support/program.ts'
import type { Contender, StartOrder } from './contender.ts'
import { openSite, unreachableScore } from './loads.ts'
import { startNginx } from './nginx.ts'

const run = promisify(execFile)
const source = join(import.meta.dirname, 'coraza')
const cache = join(import.meta.dirname, '../../node_modules/.cache')

/** nginx with Debian's libmodsecurity. */
export function modSecurity(level: Level): Contender {
  return {
    name: `nginx + libmodsecurity, PL${level}`,
    level,
    isSluice: false,
    async start(order) {
      const packages = await obtainPeers()
      const rules = await rulesFor(level, order)
      return startNginx({ packages, rules, originPort: order.originPort, directory: order.directory })
    },
  }
}

/** Coraza with Go's regular expressions, or with RE2. */
export function coraza(level: Level, engine: 'Go' | 're2'): Contender {
  return {
    name: `Coraza, ${engine}, PL${level}`,
    level,
    isSluice: false,
    async start(order) {
      const missing = without('go')
      if (missing !== false) throw new Error(missing)
      const { program, environment } = engine === 'Go' ? await buildPlain() : await buildWithRe2()
      const port = await freePort()
      const origin = `http://127.0.0.1:${order.originPort}`
      const words = [`127.0.0.1:${port}`, origin, await rulesFor(level, order)]
      return PeerServer.spawn(program, words, environment, port)
    },
  }
}

/** The rules refuse requests, with the audit log that ModSecurity recommends: of requests that rules have matched. */
async function rulesFor(level: Level, { crs, directory }: StartOrder): Promise<string> {
  await mkdir(directory, { recursive: true })
  return writeRules(await openRelease(crs), level, directory, {
    directives: `SecRuleEngine On
SecAuditEngine RelevantOnly
SecAuditLogType Serial
SecAuditLogParts ABIJDEFHZ
SecAuditLog ${directory}/audit.log`,
    setup: `SecRule REQUEST_HEADERS:Host "@streq ${openSite}" \\
    "id:200901,phase:1,pass,nolog,t:none,setvar:tx.inbound_anomaly_score_threshold=${unreachableScore}"`,
  } satisfies OwnRules)
}

interface Built {
  readonly program: string
  readonly environment: NodeJS.ProcessEnv
}

/** Go keeps what it has compiled: from the second run on, this takes a second. */
async function buildPlain(): Promise<Built> {
  const program = join(cache, 'bench-coraza')
  await run('go', ['build', '-o', program, '.'], { cwd: source })
  return { program, environment: process.env }
}

async function buildWithRe2(): Promise<Built> {
  const packages = await obtainPackages('bench-re2', ['libre2-dev'])
  const pkgConfig = (await packages.libraries()).map(directory => join(directory, 'pkgconfig'))
  const program = join(cache, 'bench-coraza-re2')
  const env = {
    ...process.env,
    CGO_ENABLED: '1',
    PKG_CONFIG_SYSROOT_DIR: packages.root,
    PKG_CONFIG_PATH: pkgConfig.join(':'),
  }
  await run('go', ['build', '-tags', 're2_cgo', '-o', program, '.'], { cwd: source, env })
  return { program, environment: await packages.environment() }
}
