#!/usr/bin/env node
// Starts the TypeScript program with the Node that this package brings, regardless of the machine's Node.
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
// Type stripping does not work below node_modules, so the published package carries built files.
const built = join(root, 'dist', 'cli', 'main.js')
const main = existsSync(built) && root.includes('node_modules') ? built : join(root, 'src', 'cli', 'main.ts')

const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(signal === null ? code : 1))
child.on('error', error => {
  console.error(`sluice: ${node} cannot be started: ${error.message}. Run npm ci again.`)
  process.exit(1)
})
