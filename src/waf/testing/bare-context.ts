/**
 * A separate program (`node --experimental-vm-modules`). It loads the module into a context with only ECMAScript and
 * the four names below, inspects two requests there and prints the matches.
 */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { type Context, createContext, type Module, SourceTextModule } from 'node:vm'

const context: Context = createContext({
  TextEncoder,
  TextDecoder,
  performance: { now: () => performance.now() },
  setTimeout: (run: () => void, ms: number) => void setTimeout(run, ms),
})

const modules = new Map<string, SourceTextModule>()

function moduleAt(url: string): SourceTextModule {
  let module = modules.get(url)
  if (module === undefined) {
    const code = stripTypeScriptTypes(readFileSync(new URL(url), 'utf8'))
    module = new SourceTextModule(code, { context, identifier: url })
    modules.set(url, module)
  }
  return module
}

function resolve(specifier: string, from: Module): Module {
  if (!specifier.startsWith('.')) throw new Error(`${from.identifier} imports ${specifier}`)
  return moduleAt(new URL(specifier, from.identifier).href)
}

const use = new SourceTextModule(
  String.raw`
    import { compile } from '../index.ts'
    const text = 'SecDefaultAction "phase:2,pass,severity:CRITICAL,tag:paranoia-level/1"\n' +
      'SecRule ARGS "@detectSQLi" "id:1,phase:2,t:urlDecodeUni"\n' +
      'SecRule ARGS|REQUEST_HEADERS "@rx (?i)attack\\b" "id:2,phase:2"'
    const compiled = compile([{ name: 'rules.conf', text }], { readData: () => undefined })
    if (!compiled.ok) throw new Error(compiled.diagnostics[0].message)
    const inspect = request => compiled.value.inspect({ clientIp: '192.0.2.1', ...request })
    export const results = await Promise.all([
      inspect({ method: 'GET', target: '/?q=an+attack', headers: [['Host', 'site.test']] }),
      inspect({
        method: 'POST',
        target: '/',
        headers: [['Content-Type', 'application/x-www-form-urlencoded']],
        body: "id=1'+or+'1'='1&pad=" + 'x'.repeat(100_000),
      }),
    ])`,
  { context, identifier: new URL('use.js', import.meta.url).href },
)
await use.link(resolve)
await use.evaluate()

const { results } = use.namespace as { results: readonly import('../types.ts').Inspection[] }
const told = results.map(({ matches, requestScore, bodyBytes }) => ({
  matched: matches.map(match => `${match.rule.id} ${match.target}`),
  requestScore,
  bodyBytes,
}))
console.log(JSON.stringify(told))
