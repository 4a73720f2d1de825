import {
  cpSync,
  existsSync,
  globSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { sourceHash } from '../src/app/api/dashboard-hash.ts'
import config from './vite.config.ts'

/**
 * Builds the page into `dashboard/dist`, with compressed copies of the files. Skips the build when the sources are
 * unchanged. Concurrent builds wait for the first one. `node dashboard/build.ts DIRECTORY` also copies the result to
 * the directory, for the package.
 */
const dist = join(import.meta.dirname, 'dist')
const aside = join(import.meta.dirname, `dist-${process.pid}`)
const lock = join(import.meta.dirname, 'dist.lock')
const firstLoadMax = 300_000

const copy = process.argv[2]

if (!isFresh()) await makeOnce()
if (copy !== undefined) {
  rmSync(copy, { recursive: true, force: true })
  cpSync(dist, copy, { recursive: true })
}

async function makeOnce(): Promise<void> {
  await takeLock()
  try {
    if (!isFresh()) await make()
  } finally {
    rmSync(lock, { force: true })
  }
}

function isFresh(): boolean {
  const stamp = join(dist, 'sources.sha256')
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceHash(import.meta.dirname)
}

async function make(): Promise<void> {
  const begin = performance.now()
  const hash = sourceHash(import.meta.dirname)
  console.log('building the dashboard …')
  try {
    await build({
      ...config,
      configFile: false,
      logLevel: 'warn',
      build: { ...config.build, outDir: aside, emptyOutDir: true },
    })
    const { files, script, style } = compress()
    writeFileSync(join(aside, 'sources.sha256'), hash)
    rmSync(dist, { recursive: true, force: true })
    renameSync(aside, dist)
    const seconds = ((performance.now() - begin) / 1000).toFixed(1)
    console.log(
      `dashboard built: ${files} files in ${seconds} s; the overview loads ${kilobytes(script)} of script and ${kilobytes(style)} of style, gzipped`,
    )
    if (script > firstLoadMax)
      console.log(`warning: the script exceeds its budget of ${kilobytes(firstLoadMax)}`)
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

/** @returns gzipped bytes of script and style that the overview loads */
function compress(): { files: number; script: number; style: number } {
  const paths = globSync('**/*.{js,css,html,svg}', { cwd: aside })
  const gzipped = new Map<string, number>()
  for (const path of paths) {
    const bytes = readFileSync(join(aside, path))
    const gz = gzipSync(bytes, { level: 9 })
    gzipped.set(path.replaceAll('\\', '/'), gz.length)
    // The start page gets a nonce at each request, so it has no compressed copy.
    if (path === 'index.html' || bytes.length < 1024) continue
    writeFileSync(join(aside, `${path}.gz`), gz)
    const params = { [constants.BROTLI_PARAM_QUALITY]: 10 }
    writeFileSync(join(aside, `${path}.br`), brotliCompressSync(bytes, { params }))
  }
  const loaded = loadedByOverview()
  const total = (end: string) =>
    [...loaded].filter(file => file.endsWith(end)).reduce((sum, file) => sum + (gzipped.get(file) ?? 0), 0)
  return { files: paths.length, script: total('.js'), style: total('.css') }
}

function loadedByOverview(): Set<string> {
  const path = join(aside, 'manifest.json')
  const chunks = JSON.parse(readFileSync(path, 'utf8')) as Record<string, Chunk>
  rmSync(path)
  const loaded = new Set<string>()
  const visit = (name: string) => {
    const chunk = chunks[name]
    if (chunk === undefined || loaded.has(chunk.file)) return
    loaded.add(chunk.file)
    for (const css of chunk.css ?? []) loaded.add(css)
    for (const other of chunk.imports ?? []) visit(other)
  }
  visit('index.html')
  visit('src/features/overview/overview-page.tsx')
  return loaded
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(0)} KB`
}

/** Takes over the lock of a dead process. */
async function takeLock(): Promise<void> {
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' })
      return
    } catch {
      if (!isHeld()) rmSync(lock, { force: true })
      else await wait(200)
    }
  }
}

function isHeld(): boolean {
  try {
    const pid = Number(readFileSync(lock, 'utf8'))
    // Created, but not written yet.
    if (pid === 0) return Date.now() - statSync(lock).mtimeMs < 5000
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
