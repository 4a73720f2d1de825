#!/usr/bin/env node
// Starts the program with the Node that this package brings, regardless of the machine's Node.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const node = join(
  dirname(createRequire(import.meta.url).resolve('node/package.json')),
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
)
// The published package carries built files; a checkout builds them when its sources have changed.
const checkout = join(root, 'scripts', 'run.ts')
const main = existsSync(checkout) ? checkout : join(root, 'dist', 'cli', 'main.js')
const words = [main, ...process.argv.slice(2)]

// Analytics hold up to three threads of Node's pool while they read and answer; files, gzip and names keep the usual four.
process.env.UV_THREADPOOL_SIZE ??= '7'

// Becomes the program, where the platform and the machine's Node can: a waiting process would take 40 MB. Before Node 26, a
// failure ends the process instead of throwing.
if (Number.parseInt(process.versions.node, 10) >= 26 && process.platform !== 'win32')
  try {
    process.execve(node, [node, ...words], process.env)
  } catch {
    // The same fails below, with a message.
  }

const child = spawn(node, words, { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(signal === null ? code : 1))
child.on('error', error => {
  console.error(`sluice: ${node} cannot be started: ${error.message}. Run npm ci again.`)
  process.exit(1)
})
