import assert from 'node:assert/strict'
import { execFileSync, execSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { miniRelease, writeTree } from '../src/crs/testing/release.ts'
import { bareEnvironment } from '../src/kit/testing/bare-environment.ts'
import { launchBrowser } from './support/browser.ts'
import { eventually } from './support/eventually.ts'
import { builtProduct } from './support/product.ts'

/** The installed package: built files, one entry for each library module, and the command. */
const root = join(import.meta.dirname, '..')
const project = mkdtempSync(join(tmpdir(), 'sluice-package-'))
const installed = join(project, 'node_modules', 'sluice')
const tools = join(root, 'node_modules/.bin')
/** As npm runs scripts. */
const withTools = { ...process.env, PATH: `${tools}${delimiter}${process.env['PATH'] ?? ''}` }

before(() => {
  const { dependencies, files, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly dependencies: object
    readonly files: readonly string[]
    readonly scripts: { readonly prepack: string }
  }
  const staged = join(project, 'staged')
  for (const name of ['package.json', ...files])
    if (name !== 'dist') cpSync(join(root, name), join(staged, name), { recursive: true })
  const dist = join(staged, 'dist')
  for (const step of scripts.prepack.split(' && ')) {
    if (step === 'node scripts/build/main.ts dist' && builtProduct !== undefined)
      copyBuild(builtProduct, dist)
    else execSync(step.replace(/\bdist\b/, dist), { cwd: root, env: withTools, stdio: 'pipe' })
  }
  const packed = execFileSync(
    'npm',
    ['pack', '--silent', '--ignore-scripts', '--pack-destination', project],
    {
      cwd: staged,
      encoding: 'utf8',
    },
  ).trim()
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', join(project, packed), '-C', installed, '--strip-components=1'])
  for (const name of Object.keys(dependencies)) {
    const link = join(project, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), link)
  }
})

/** The build that `npm test` made, without V8's cache, which its processes write. */
function copyBuild(built: string, dist: string): void {
  cpSync(built, dist, { recursive: true, filter: path => basename(path) !== 'compiled' })
}

after(() => rmSync(project, { recursive: true, force: true }))

test('the package has a bill of materials with what it runs, and nothing else', () => {
  const text = readFileSync(join(installed, 'dist/sbom.cdx.json'), 'utf8')
  const { bomFormat, components } = JSON.parse(text) as {
    readonly bomFormat: string
    readonly components: readonly { readonly name: string }[]
  }
  assert.equal(bomFormat, 'CycloneDX')
  const names = new Set(components.map(({ name }) => name))
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) assert.ok(names.has(name), name)
  assert.ok(!names.has('typescript') && 'typescript' in devDependencies)
})

test('every entry of the package can be imported', () => {
  const entries = {
    '.': 'serve',
    './waf': 'compile',
    './seclang': 'parse',
    './expressions': 'compile',
    './logfilter': 'compileFilter',
    './model': 'settingDeclarations',
  }
  const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { exports: object }
  assert.deepEqual(Object.keys(exports).sort(), Object.keys(entries).sort())
  const lines = Object.entries(entries).map(
    ([entry, name]) =>
      `if (typeof (await import('sluice${entry.slice(1)}')).${name} === 'undefined') throw new Error('${entry} lacks ${name}')`,
  )
  writeFileSync(join(project, 'use.mjs'), lines.join('\n'))
  execFileSync(process.execPath, ['use.mjs'], { cwd: project, stdio: 'pipe' })
})

test('the product does not load the copy of undici that Node has, beside its own', () => {
  const code = "await import('sluice'); console.log(process.moduleLoadList.join())"
  writeFileSync(join(project, 'loaded.mjs'), code)
  const loaded = execFileSync(process.execPath, ['loaded.mjs'], { cwd: project, encoding: 'utf8' })
  assert.match(loaded, /NativeModule http,/)
  assert.doesNotMatch(loaded, /undici/)
})

test('the rule engine runs by itself from the package', () => {
  writeFileSync(
    join(project, 'engine.mjs'),
    `import { compile } from 'sluice/waf'
const rule = 'SecRule ARGS "@contains attack" "id:1,phase:2,pass,log,msg:\\'found\\'"'
const program = compile([{ name: 'rules.conf', text: rule }], { readData: () => undefined })
if (!program.ok) throw new Error(JSON.stringify(program.diagnostics))
const request = { clientIp: '192.0.2.1', method: 'GET', target: '/?q=an+attack', headers: [['Host', 'a']] }
const { matches } = await program.value.inspect(request)
console.log(matches.map(match => match.rule.id + ' ' + match.target).join())`,
  )
  const output = execFileSync(process.execPath, ['engine.mjs'], { cwd: project, encoding: 'utf8' })
  assert.equal(output.trim(), '1 ARGS:q')
})

test('the documentation of the engine as a library is there, and its examples find the package', () => {
  assert.ok(existsSync(join(installed, 'docs/guides/embed-the-engine.md')))
  const recipe = join(installed, 'examples/waf/crs.js')
  writeFileSync(
    join(project, 'example.mjs'),
    `const { loadCrs } = await import(${JSON.stringify(recipe)})
try { loadCrs('nowhere') } catch (error) { console.log(error.message) }`,
  )
  const output = execFileSync(process.execPath, ['example.mjs'], { cwd: project, encoding: 'utf8' })
  assert.match(output, /crs-setup\.conf\.example/)
})

test('the dashboard comes built, with nothing to install for it', () => {
  const page = readFileSync(join(installed, 'dist/dashboard/index.html'), 'utf8')
  const [, script] = /<script type="module"[^>]* src="([^"]+)"/.exec(page) ?? []
  assert.ok(existsSync(join(installed, 'dist/dashboard', script!)))
  assert.ok(existsSync(join(installed, 'dist/dashboard', `${script}.br`)))
  assert.ok(!existsSync(join(installed, 'dashboard')))
})

test('the command of the package serves the API and the page', async t => {
  const crs = await writeTree(join(project, 'crs'), miniRelease('4.1.0'))
  const child = spawn(process.execPath, [join(installed, 'dist/cli/main.js'), 'serve'], {
    cwd: project,
    env: {
      ...bareEnvironment,
      SLUICE_DATA: join(project, 'data'),
      SLUICE_API_LISTEN: '127.0.0.1:0',
      SLUICE_EDGE_LISTEN: '127.0.0.1:0',
      SLUICE_EDGE_TLS_LISTEN: 'none',
      SLUICE_CRS: crs,
    },
  })
  const exit = once(child, 'exit')
  t.after(() => {
    child.kill()
    return exit
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      output += text
    })
  const address = await eventually(() => {
    const [, found] = /dashboard (http:\S+)/.exec(output) ?? []
    assert.ok(found, output)
    return found
  })
  const page = await fetch(address)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /<script type="module"/)
})

test('the command of the package starts with the Node that it brings', () => {
  const output = execFileSync(process.execPath, [join(installed, 'bin', 'sluice.js'), '--help'], {
    cwd: project,
    encoding: 'utf8',
  })
  assert.match(output, /sluice serve/)
})

test('a browser loads the rules language as it is: modules without anything of Node', async t => {
  const browser = await launchBrowser()
  if (browser === undefined) return t.skip('no Chromium starts here')
  t.after(() => browser.close())
  const server = createServer((request, response) => {
    const file = join(installed, 'dist', new URL(request.url!, 'http://x').pathname)
    const found = file.endsWith('.js') && existsSync(file)
    response.writeHead(request.url === '/' || found ? 200 : 404, {
      'content-type': found ? 'text/javascript' : 'text/html',
    })
    response.end(found ? readFileSync(file) : '<!doctype html><title>rules</title>')
  })
  t.after(() => server.close().closeAllConnections())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const told = await page.evaluate(async () => {
    const module = '/expressions/index.js'
    const { compile, check, format } = (await import(module)) as typeof import('../src/expressions/index.ts')
    const host = {
      name: 'http.host',
      type: 'String',
      read: (request: { readonly host: string }) => request.host,
    } as const
    const scheme = { fields: new Map([[host.name as string, host]]) }
    const compiled = compile('lower(http.host) matches "^www[.]"', scheme)
    const faulty = check('http.hots eq "a"', scheme)
    const formatted = format('http.host=="a"', scheme)
    return {
      matches: compiled.ok && compiled.test({ host: 'WWW.example.com' }),
      fault: faulty.ok ? '' : faulty.text,
      formatted: formatted.ok ? formatted.text : '',
    }
  })
  assert.equal(told.matches, true)
  assert.match(told.fault, /^Filter parsing error \(1:1\):\nhttp\.hots eq "a"\n\^{9} unknown identifier/)
  assert.equal(told.formatted, 'http.host eq "a"')
})
