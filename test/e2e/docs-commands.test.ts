import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { appendFile, cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { freePort } from '../../src/kit/testing/free-port.ts'
import { productEntry } from '../support/product.ts'
import { discard, type Instance, runSluice, startSluice, testCrs } from '../support/sluice.ts'

/**
 * The commands of README and docs/, page by page, as a reader types them: in one shell, one after the other. A block
 * that cannot run here has a comment in front of it that says why: `<!-- not run: needs Docker -->`. A block that
 * starts a server names its port: `<!-- background: listens on 9443 -->`.
 */
const root = join(import.meta.dirname, '../..')
const skip = existsSync(testCrs) ? false : 'needs an OWASP CRS release, and none was found'

interface Block {
  readonly script: string
  /** Why it does not run here. */
  readonly reason: string | undefined
  /** Of a server that runs until the end of the page. */
  readonly port: string | undefined
}

function blocksOf(page: string): readonly Block[] {
  const found = readFileSync(join(root, page), 'utf8').matchAll(
    /(?:<!-- (?:not run: ([^\n]*)|background: listens on (\d+)) -->\n+)? *```sh\n(.*?)```/gs,
  )
  return [...found].map(([, reason, port, script]) => ({ reason, port, script: script! }))
}

const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true }).map(name => `docs/${name}`),
].filter(page => page.endsWith('.md') && blocksOf(page).length > 0)

const destinations = 'docs/reference/logpush.md'
let sluice: Instance
let certificates = ''
/** Printed port → free port. */
const ports = new Map<string, string>()
before(async () => {
  if (skip !== false) return
  certificates = await mkdtemp(join(tmpdir(), 'sluice-docs-'))
  await mkdir(join(certificates, 'data'))
  const certificate = blocksOf(destinations).find(({ script }) => script.startsWith('openssl'))!
  const made = await run(certificates, certificate.script)
  assert.equal(made.code, 0, made.output)
  for (const { port } of pages.flatMap(blocksOf))
    if (port !== undefined) ports.set(port, String(await freePort()))
  sluice = await startSluice({
    settings: {
      NODE_EXTRA_CA_CERTS: join(certificates, 'data/receiver.pem'),
      SLUICE_CRS: testCrs,
      SLUICE_ADMIN_TOKEN: undefined,
      SLUICE_DESTINATIONS: 'loopback',
      SLUICE_DESTINATION_DIRECTORY: undefined,
    },
  })
  await cp(join(certificates, 'data'), sluice.data, { recursive: true })
  // The second release that the pages compare with the first: the same with a rule more.
  const other = join(sluice.data, 'other-crs')
  await cp(testCrs, other, { recursive: true })
  const rule = 'SecRule ARGS:q "@streq none" "id:999001,phase:2,pass,t:none,msg:\'None\',severity:NOTICE"\n'
  await appendFile(join(other, 'rules', 'REQUEST-930-APPLICATION-ATTACK-LFI.conf'), rule)
  const imported = await runSluice(['crs', 'import', other], { SLUICE_DATA: sluice.data })
  assert.equal(imported.code, 0, imported.stderr)
  const used = await runSluice(['crs', 'use', '1'], { SLUICE_DATA: sluice.data })
  assert.equal(used.code, 0, used.stderr)
})
after(async () => {
  if (skip !== false) return
  await discard(sluice)
  await rm(certificates, { recursive: true, force: true })
})

for (const page of pages) {
  test(`the commands of ${page} run as printed`, { skip }, async t => {
    const blocks = blocksOf(page)
    for (const { reason } of blocks) if (reason !== undefined) t.diagnostic(`not run: ${reason}`)
    const script = blocks
      .filter(({ reason }) => reason === undefined)
      .map(({ script, port }) => (port === undefined ? script : inBackground(script, port)))
      .join('\n')
    const directory = await mkdtemp(join(tmpdir(), 'sluice-docs-'))
    try {
      await symlink(sluice.data, join(directory, 'data'))
      const { code, output } = await run(directory, here(script))
      assert.equal(code, 0, output)
      // Keys and tokens do not stay where a commit would take them.
      assert.deepEqual((await readdir(directory)).toSorted(), ['data'])
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  })
}

/** A server, once it listens. It ends with the page. */
function inBackground(script: string, port: string): string {
  return `(\n${script}) > server-${port}.log 2>&1 &
tries=0
until (: > /dev/tcp/127.0.0.1/${port}) 2> /dev/null; do
  if [ $((tries += 1)) -gt 300 ]; then cat server-${port}.log; exit 1; fi
  command sleep 0.1
done
rm server-${port}.log
`
}

/** At the addresses of the instance of this test, with servers at free ports. */
function here(script: string): string {
  const moved = script.replace(/\b\d{4,5}\b/g, number => ports.get(number) ?? number)
  return moved
    .replaceAll('. examples/api.sh', readFileSync(join(root, 'examples/api.sh'), 'utf8'))
    .replaceAll('http://127.0.0.1:8787', new URL(sluice.apiUrl).origin)
    .replaceAll('http://127.0.0.1:8080', sluice.edgeUrl)
    .replaceAll('node_modules/.bin/node', `'${process.execPath}'`)
}

/**
 * Refusals of the API are kept, and pauses are longer than a person's. `npx sluice` is the one of this checkout, and asks the
 * API of this test.
 */
const prelude = `
set -eu
refused=$(mktemp)
curl() {
  local answer
  answer=$(mktemp)
  command curl "$@" > "$answer"
  cat "$answer" || true
  if grep -q '"success":false' "$answer"; then cat "$answer" >> "$refused"; fi
  rm "$answer"
}
sleep() { command sleep $(($1 * 3)); }
npx() {
  local program=$1
  shift
  if [ "$program" = sluice ]; then env ${'$'}{API:+CLOUDFLARE_BASE_URL=$API CLOUDFLARE_API_TOKEN=$TOKEN} '${process.execPath}' '${productEntry}' "$@"
  else '${join(root, 'node_modules/.bin')}'/"$program" "$@"; fi
}
`

/** Also refusals in the middle of a pipe. */
const end = `
if [ -s "$refused" ]; then cat "$refused"; exit 1; fi
rm "$refused"
`

/** Sluice refuses settings that it does not know. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('SLUICE_')),
)

async function run(directory: string, script: string): Promise<{ code: number | null; output: string }> {
  const child = spawn('bash', ['-c', `exec 2>&1\n${prelude}\n${script}\n${end}`], {
    cwd: directory,
    env: environment,
    detached: true,
  })
  // Ends the page's servers too.
  child.once('exit', () => {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  return { code, output: output.slice(-4000) }
}
