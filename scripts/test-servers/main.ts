import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { makeFolder } from '../../src/kit/folders.ts'
import { goFtw } from './go-ftw.ts'
import { goSdk } from './go-sdk.ts'
import { haproxy } from './haproxy.ts'
import { kafka } from './kafka.ts'
import { otelCollector } from './otel-collector.ts'
import type { TestServer } from './test-server.ts'

/**
 * `npm run test:servers [-- NAME…]`: tests against servers and tools that have to be compiled or downloaded, which
 * `npm test` does not do. Each is built once and kept outside the checkout, in `SLUICE_TEST_SERVERS` or the user's cache.
 * `test/servers/NAME*.servers.ts` are its tests.
 */

const servers: readonly TestServer[] = [kafka, goFtw, goSdk, haproxy, otelCollector]

const root = join(import.meta.dirname, '../..')
const cache =
  process.env['SLUICE_TEST_SERVERS'] ??
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'sluice-test-servers')

const wanted = process.argv.slice(2)
const stranger = wanted.find(name => !servers.some(server => server.name === name))
if (stranger !== undefined) {
  console.error(`there is no server '${stranger}'; there are ${servers.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}

const skipped: string[] = []
let failed = false
for (const server of servers) {
  if (wanted.length > 0 && !wanted.includes(server.name)) continue
  const missing = server.needs.filter(tool => spawnSync(tool, ['--version']).error !== undefined)
  if (missing.length > 0) skipped.push(`${server.name}: needs ${missing.join(' and ')}`)
  else failed = !(await tested(server)) || failed
}
for (const line of skipped) console.log(`SKIPPED ${line}`)
process.exitCode = failed ? 1 : 0

async function tested(server: TestServer): Promise<boolean> {
  const directory = await built(server)
  const files = globSync(`test/servers/${server.name}*.servers.ts`, { cwd: root }).toSorted()
  console.log(`${server.name} ${server.version}: ${files.join(', ')}`)
  const { status } = spawnSync(
    process.execPath,
    ['--test', '--test-concurrency=1', '--test-timeout=3600000', ...files],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, [server.variable]: directory },
    },
  )
  return status === 0
}

/** @returns its directory. It is built completely or not at all, unless an earlier run has built it. */
async function built({ name, version, build }: TestServer): Promise<string> {
  const directory = join(cache, `${name}-${version}`)
  if (globSync(directory).length > 0) return directory
  const unfinished = `${directory}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await makeFolder(unfinished)
  console.log(`${name} ${version}: making it in ${directory}`)
  await build(unfinished)
  await rename(unfinished, directory)
  return directory
}
