import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { productEntry } from '../../../../test/support/product.ts'
import { miniRelease, writeTree } from '../../../crs/testing/release.ts'
import { bareEnvironment } from '../../../kit/testing/bare-environment.ts'
import type { Explanation } from '../../../waf/index.ts'

const crs428 = join(import.meta.dirname, '../../../../../shared/crs/4.28.0')
const skip = existsSync(crs428) ? false : 'no CRS 4.28.0 in ../shared/crs'

let directory: string
let crs: string

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-explain-'))
  crs = await writeTree(
    join(directory, 'crs'),
    miniRelease('4.9.9', {
      'rules/REQUEST-999-EXTRA.conf': `SecRule ARGS:a "@streq one two" "id:999100,phase:2,block,t:none,t:urlDecodeUni,t:lowercase,chain,\\
    msg:'Extra',logdata:'%{MATCHED_VAR}',severity:CRITICAL,tag:'paranoia-level/1'"
    SecRule ARGS:b "!@rx ^[0-9]+$" "t:none"
`,
    }),
  )
})

after(() => rm(directory, { recursive: true, force: true }))

interface Ended {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

/** Runs `sluice explain` without settings of this machine. */
async function explain(words: readonly string[], input: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const child = spawn(process.execPath, [productEntry, 'explain', ...words], {
    cwd: directory,
    env: { ...bareEnvironment, ...env },
  })
  child.stdin.on('error', () => {})
  child.stdin.end(Buffer.from(input, 'latin1'))
  const [output, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>(resolve => child.on('close', resolve)),
  ])
  return { code, output, errors }
}

function get(target: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: shop.example\r\nUser-Agent: Mozilla/5.0\r\nAccept: text/html\r\n\r\n`
}

describe('sluice explain', { concurrency: 2 }, () => {
  it('lists what matched', async () => {
    const { code, output, errors } = await explain(['--crs', crs], get('/?a=ONE%2520Two&b=x'))
    assert.deepEqual([code, errors], [0, ''])
    assert.equal(
      output,
      `GET /?a=ONE%2520Two&b=x HTTP/1.1
OWASP CRS 4.9.9, paranoia level 1

Score 5. No rule stops the request by itself; a zone compares the score with its threshold.

1 rule matched:

999100  +5 = 5  Extra
  phase 2, paranoia level 1, CRITICAL, rules/REQUEST-999-EXTRA.conf:1
  x
  link 1: @streq one two
    ARGS:a
      value         ONE%20Two
      urlDecodeUni  ONE Two
      lowercase     one two
  link 2: !@rx ^[0-9]+$
    ARGS:b
      value  x
`,
    )
  })

  it('tells of one rule why it did not match', async () => {
    const { code, output } = await explain(['--crs', crs, '--rule=999100'], get('/?a=one+two&b=42'))
    assert.equal(code, 0)
    assert.equal(
      output.split('\n').slice(3).join('\n'),
      `Score 0. No rule stops the request by itself; a zone compares the score with its threshold.

Rule 999100 did not match: the only value tested in link 2 of its chain does not match.

999100  Extra
  phase 2, paranoia level 1, CRITICAL, rules/REQUEST-999-EXTRA.conf:1

  link 1: @streq one two
    tests ARGS:a
    ARGS:a
      value         one two
      unchanged by  urlDecodeUni, lowercase

  link 2: !@rx ^[0-9]+$
    no match (negated: the operator holds for every value)
    tests ARGS:b
    ARGS:b
      value  42
`,
    )
  })

  const answers = [
    { name: 'unknown', rule: 913101, says: 'There is no rule 913101 .* 4\\.9\\.9.* Near it: 913100, 913190' },
    { name: 'off', rule: 913190, says: 'did not run: it is of paranoia level 4, .*--paranoia-level 4' },
    { name: 'on', rule: 913190, more: ['--paranoia-level', '4'], says: 'the request has no ARGS' },
  ]
  for (const { name, rule, more = [], says } of answers) {
    it(`a rule that is ${name}`, async () => {
      const { code, output } = await explain(['--crs', crs, '--rule', String(rule), ...more], get('/'))
      assert.equal(code, 0)
      assert.match(output, new RegExp(says))
    })
  }

  it('a file, base rules, helpers and JSON', async () => {
    const file = join(directory, 'request.txt')
    await writeFile(file, 'POST / HTTP/1.1\nHost: a.test\nContent-Type: application/json\n\n{"a":\n')
    const { code, output } = await explain([file, '--all', '--json'], '', { SLUICE_CRS: crs })
    assert.equal(code, 0)
    const { crsVersion, notes, interruption, matches } = JSON.parse(output) as Explanation & {
      readonly crsVersion: string
      readonly notes: readonly string[]
    }
    assert.equal(crsVersion, '4.9.9')
    assert.deepEqual(notes, ['Content-Length: 5 was added'])
    assert.deepEqual(interruption, { ruleId: 200002, action: 'deny', status: 400 })
    const listed = matches.map(({ rule, helper }) => [rule.id, helper])
    assert.deepEqual(listed.at(-1), [200002, false])
    assert.ok(listed.some(([id, helper]) => id === 200001 && helper === true))
    assert.ok(!('text' in matches[0]!.rule))
  })

  it('lets no request steer the terminal', async () => {
    const { output } = await explain(
      ['--crs', crs, '--all'],
      'G\x1b[2J /\x07 HTTP/1.1\nContent-Length: \x1b\n\nabc',
    )
    assert.ok(output.startsWith('G\\x1b[2J /\\x07 HTTP/1.1\n'))
    assert.match(output, /^[\n -~]+$/)
  })

  it('colours only where they are wanted', async () => {
    const coloured = await explain(['--crs', crs, '--rule=1'], get('/'), { FORCE_COLOR: '1' })
    assert.ok(coloured.output.includes('\x1b[1mGET'))
    const plain = await explain(['--crs', crs, '--rule=1'], get('/'), { NO_COLOR: '1' })
    assert.ok(!plain.output.includes('\x1b'))
  })

  const refusals = [
    { name: 'an unknown level', words: ['--paranoia-level=5'], says: /'5' .*--paranoia-level.*1, 2, 3 or 4/ },
    { name: 'a rule that is no number', words: ['--rule', 'sqli'], says: /'sqli' .*--rule/ },
    { name: 'a switch with a value', words: ['--json=yes'], says: /--json takes no value/ },
    { name: 'a file that is not there', words: ['nothing.txt'], says: /cannot be read.*nothing\.txt/ },
    { name: 'no request', words: [], input: '', says: /request is empty/ },
    { name: 'a release that is not there', words: ['--crs=nowhere'], says: /nowhere does not exist/ },
    { name: 'no release yet', words: [], says: /no OWASP CRS release.*--crs PATH/ },
  ]
  for (const { name, words, input = get('/'), says } of refusals) {
    it(`refuses ${name}`, async () => {
      const { code, output, errors } = await explain(words, input)
      assert.deepEqual([code, output], [2, ''])
      assert.match(errors, says)
    })
  }

  it('the example of --help does what it says', { skip }, async () => {
    const { code, output } = await explain(['--help'], '')
    assert.equal(code, 0)
    const example = /printf '(.+)' \| npx sluice explain (.+)/.exec(output)
    const request = example![1]!.replaceAll('%%', '%').replaceAll('\\n', '\n')
    const explained = await explain([...example![2]!.split(' '), '--crs', crs428], request)
    assert.match(explained.output, /^Rule 942100 matched:$/m)
  })

  it('942100 of CRS 4.28.0 on a harmless request', { skip }, async () => {
    const words = ['--rule', '942100', '--crs', crs428, '--json']
    const { code, output } = await explain(words, get('/search?q=copper+kettle'))
    assert.equal(code, 0)
    const { matches, asked } = JSON.parse(output) as Explanation
    assert.deepEqual(matches, [])
    assert.equal(asked?.outcome, 'no-match')
    const [link] = asked.links
    assert.deepEqual(
      link!.values.map(({ target, value }) => `${target} ${value.text}`),
      ['REQUEST_HEADERS:User-Agent Mozilla/5.0', 'ARGS_NAMES:q q', 'ARGS:q copper kettle'],
    )
    assert.equal(link!.operator, '@detectSQLi')
  })
})
