import { mkdir, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import { dirname, join, relative } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { engineDigest } from '../../src/crs/snapshots/engine-digest.ts'
import { licencesOf } from './licences.ts'

const root = join(import.meta.dirname, '../..')
const sources = join(root, 'src')

/** Entries for other programs. Paths below `src`, without extension. */
const libraries = [
  'app/index',
  'waf/index',
  'seclang/index',
  'expressions/index',
  'logfilter/index',
  'model/index',
]

/** The command and the threads, which begin with V8's compile cache. */
const programs = [
  'cli/main',
  'app/edge/worker',
  'app/analytics/worker',
  'analytics/sql/sandbox',
  'crs/snapshots/snapshot-worker',
  'logpush/parquet/worker',
]

/** Loaded from `node_modules` when they are needed: large and used by few, or found by their path. */
const external = [
  /^node:(?!http$)/,
  /^@aws-sdk\//,
  /^@duckdb\//,
  /^@ip-location-db\//,
  /^@platformatic\/kafka$/,
  // Its licence, the LGPL, asks that users can replace it.
  /^openpgp$/,
  /^pg-native$/,
  /^pino(-pretty)?$/,
]

/** A module finds its neighbours and the package's files from the path that it would have outside the bundle. */
const ownPaths: Plugin = {
  name: 'own-paths',
  transform(code, id) {
    if (!id.startsWith(sources) || !code.includes('import.meta')) return
    const built = `../${relative(sources, id).replace(/\.ts$/, '.js')}`
    const url = `new URL(${JSON.stringify(built)}, import.meta.url)`
    return code.replaceAll(/import\.meta\.(url|dirname)/g, (_, property) =>
      property === 'url'
        ? `${url}.href`
        : `process.getBuiltinModule('node:url').fileURLToPath(new URL('.', ${url}))`,
    )
  },
}

/**
 * Keeps out Node's own copy of undici, which takes 30 ms of a thread's start and, until garbage is collected, 16 MB. Two things load it: an import
 * of `node:http`, which reads all its names, also three that browsers have; and the cookies of our undici, which Sluice does not use.
 */
const oneUndici: Plugin = {
  name: 'one-undici',
  resolveId(id, _importer, { kind }) {
    if (/^(?:node:)?http$/.test(id) && kind !== 'require-call') return httpModule
  },
  load(id) {
    if (id.endsWith('/undici/lib/web/cookies/index.js')) return 'module.exports = {}'
    if (id !== httpModule) return
    const names = Object.keys(http).filter(
      name => !['WebSocket', 'CloseEvent', 'MessageEvent'].includes(name),
    )
    return `const http = process.getBuiltinModule('node:http')
export default http
export const { ${names.join(', ')} } = http`
  },
}
const httpModule = '\0http'

/** If an `index.ts` of a library were an entry itself, each file that imports it would load everything that it lists. */
const libraryEntries: Plugin = {
  name: 'library-entries',
  resolveId: id => (id.startsWith(libraryMark) ? id : null),
  load: id =>
    id.startsWith(libraryMark)
      ? `export * from ${JSON.stringify(sourceOf(id.slice(libraryMark.length)))}`
      : null,
}
const libraryMark = '\0library '

/** Snapshots of rulesets stay valid across builds of one engine. */
const engineAsBuilt: Plugin = {
  name: 'engine-as-built',
  async load(id) {
    if (!id.endsWith('/crs/snapshots/engine-digest.ts')) return
    return `export const engineDigest = async () => ${JSON.stringify(await engineDigest())}`
  },
}

/** The product finds `package.json` and the page of its checkout, also after a move: a build lies in a folder of `.build`. */
const inCheckout: Plugin = {
  name: 'in-checkout',
  load(id) {
    if (id.endsWith('/kit/package-root.ts'))
      return `import { join } from 'node:path'
export const packageRoot = join(import.meta.dirname, '../../..')`
  },
}

/**
 * Writes the product as JavaScript. Each entry of the package, the command and each thread is a small file at the path of
 * its source. The code lies in `bundle/`, together with the libraries that it uses, so that a process loads some ten
 * files instead of two thousand. `LICENSES.txt` has the licences of what is inside.
 * @param home where the product finds `package.json` and its page
 */
export async function bundleProduct(into: string, home: 'package' | 'checkout'): Promise<void> {
  const folder = join(into, 'bundle')
  const bundle = await rolldown({
    input: Object.fromEntries([
      ...libraries.map(entry => [flat(entry), `${libraryMark}${entry}`]),
      ...programs.map(entry => [flat(entry), sourceOf(entry)]),
    ]),
    platform: 'node',
    external,
    // A file that imports one name of an `index.ts` loads the file of that name, and not all that the index lists.
    treeshake: { moduleSideEffects: id => (id.startsWith(`${sources}/`) ? false : undefined) },
    logLevel: 'warn',
    // `own-paths` moves no line.
    onLog: (level, log, report) => log.code === 'SOURCEMAP_BROKEN' || report(level, log),
    plugins: [
      libraryEntries,
      oneUndici,
      engineAsBuilt,
      ...(home === 'checkout' ? [inCheckout] : []),
      ownPaths,
    ],
  })
  for (const earlier of [folder, join(into, 'compiled')]) await rm(earlier, { recursive: true, force: true })
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    // One other character, also in a comment, makes V8 keep the whole text in two bytes per character.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true, asciiOnly: true } },
    comments: false,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  })
  for (const entry of libraries) await writeEntry(into, entry, bundled => `export * from '${bundled}'\n`)
  for (const entry of programs) await writeEntry(into, entry, cachedProgram)
  const modules = output.flatMap(chunk => (chunk.type === 'chunk' ? chunk.moduleIds : []))
  await writeFile(join(into, 'LICENSES.txt'), licencesOf(modules))
}

async function writeEntry(into: string, entry: string, code: (bundled: string) => string): Promise<void> {
  const file = join(into, `${entry}.js`)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, code(relative(dirname(file), join(into, 'bundle', `${flat(entry)}.js`))))
}

/**
 * Node reads the source maps with `--enable-source-maps` only. It decodes a map with the first stack that something reads,
 * and a stream that fails reads one: each thread would stand still for that time, and keep the maps. Where the folder of
 * V8's cache cannot be written, code is compiled at each start.
 */
function cachedProgram(bundled: string): string {
  return [
    `import { enableCompileCache } from 'node:module'`,
    `import { fileURLToPath } from 'node:url'`,
    `const bundled = new URL('${bundled}', import.meta.url)`,
    `enableCompileCache(fileURLToPath(new URL('../compiled', bundled)))`,
    `await import(bundled.href)`,
    '',
  ].join('\n')
}

function sourceOf(entry: string): string {
  return join(sources, `${entry}.ts`)
}

function flat(entry: string): string {
  return entry.replaceAll('/', '-')
}
