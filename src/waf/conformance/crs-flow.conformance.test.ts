import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { formatDiagnostic } from '../../kit/diagnostic.ts'
import { compile } from '../compile/compile.ts'
import { send, type TestRequest } from '../testing/requests.ts'
import type { Program } from '../types.ts'

/** The CRS with its own counting, blocking, sampling and exceptions, run as its authors intended. */

const folder = join(import.meta.dirname, '../../../../shared/crs/4.28.0')
const skip = existsSync(folder) ? false : 'no CRS 4.28.0 in ../shared/crs'

const scores = `SecAction "id:1,phase:5,pass,msg:'in %{tx.blocking_inbound_anomaly_score} of %{tx.detection_inbound_anomaly_score}, \\
out %{tx.blocking_outbound_anomaly_score}'"`

const programs = new Map<string, Program>()

/** Tests that want the same share it: it takes half a second. */
function load(settings = '', before = '', after = ''): Program {
  const key = [settings, before, after].join('\n')
  const program = programs.get(key) ?? compiled(settings, before, after)
  programs.set(key, program)
  return program
}

function compiled(settings: string, before: string, after: string): Program {
  const read = (name: string): string => readFileSync(join(folder, name), 'latin1')
  const rules = readdirSync(join(folder, 'rules')).filter(name => name.endsWith('.conf'))
  const sources = [
    { name: 'settings.conf', text: settings === '' ? '' : `SecAction "id:2,phase:1,nolog,pass,${settings}"` },
    { name: 'crs-setup.conf', text: read('crs-setup.conf.example') },
    { name: 'before.conf', text: before },
    ...rules.sort().map(name => ({ name, text: read(`rules/${name}`) })),
    { name: 'after.conf', text: `${scores}\n${after}` },
  ]
  const outcome = compile(sources, { readData: name => read(`rules/${name}`) })
  assert.ok(outcome.ok, outcome.ok ? '' : outcome.diagnostics.map(formatDiagnostic).join('\n'))
  return outcome.value
}

const usual = [
  ['Host', 'shop.example'],
  ['User-Agent', 'Mozilla/5.0'],
  ['Accept', 'text/html'],
] as const

interface Verdict {
  readonly ids: readonly number[]
  /** `in BLOCKING of DETECTION, out BLOCKING` */
  readonly scores: string | undefined
  readonly stopped: string | undefined
}

function verdict(program: Program, request: TestRequest): Verdict {
  const { transaction, interruption } = send(program, { headers: usual, ...request })
  const { matches } = transaction
  return {
    ids: matches.map(match => match.rule.id).filter(id => id > 1),
    scores: matches.find(match => match.rule.id === 1)?.message,
    stopped: interruption && `${interruption.ruleId} ${interruption.status}`,
  }
}

const query = '?a=union+select+1'
const attack = { target: `/${query}` }

describe('paths in phase 1', { skip }, () => {
  const program = skip === false ? load('setvar:tx.blocking_paranoia_level=2') : undefined
  for (const path of [
    '/get/https://evil.example/shell.txt',
    '/get/http:%2f%2fevil.example/shell.txt',
    '/get/http%3a%2f%2fevil.example/shell.txt',
    '/get/ftp://evil.example/shell.txt',
    '/get/file:///evil.example/shell.txt',
  ])
    it(`931131 sees ${path} as sent`, () => {
      assert.ok(verdict(program!, { target: path }).ids.includes(931131))
    })
})

describe('the unchanged CRS', { skip }, () => {
  it('counts every value that matches, and blocks at the threshold', () => {
    const program = load('setvar:tx.blocking_paranoia_level=4')
    // 20 points an argument, and 3 for the address in Host.
    const rows: readonly [target: string, score: number][] = [
      ['/?a=union+select+1', 23],
      ['/?a=union+select+1&b=union+select+1', 43],
      ['/?a=union+select+1&b=union+select+1&c=union+select+1', 63],
    ]
    for (const [target, score] of rows) {
      const headers = [['Host', '192.0.2.80'], ...usual.slice(1)] as const
      const { scores, stopped } = verdict(program, { target, headers })
      assert.equal(scores, `in ${score} of ${score}, out 0`, target)
      assert.equal(stopped, '949110 403')
    }
    assert.deepEqual(verdict(program, { target: '/shop' }), {
      ids: [],
      scores: 'in 0 of 0, out 0',
      stopped: undefined,
    })
  })

  it('detects above the level at which it blocks', () => {
    const program = load('setvar:tx.blocking_paranoia_level=1,setvar:tx.detection_paranoia_level=4')
    const { scores } = verdict(program, { target: '/?a=x!!!!y' })
    assert.match(scores ?? '', /^in 0 of [1-9][0-9]*, out 0$/)
    assert.equal(verdict(program, { target: '/?a=x!!!!y' }).stopped, undefined)
  })

  it('refuses a detection level below the blocking level, and a missing setup', () => {
    const levels = load('setvar:tx.blocking_paranoia_level=3,setvar:tx.detection_paranoia_level=2')
    assert.equal(verdict(levels, {}).stopped, '901500 500')
    const unset = load('', 'SecAction "id:3,phase:1,nolog,pass,setvar:!tx.crs_setup_version"')
    assert.equal(verdict(unset, {}).stopped, '901001 500')
  })

  it('blocks in phase 1 when asked to be early, else in phase 2', () => {
    const request = { headers: [...usual.slice(0, 1), ['User-Agent', 'sqlmap']] as const }
    assert.equal(verdict(load(), request).stopped, '949110 403')
    assert.equal(verdict(load('setvar:tx.early_blocking=1'), request).stopped, '949111 403')
  })

  it('blocks a response at the outbound threshold', () => {
    const response = { body: 'x [IBM][CLI Driver][DB2/6000] x' }
    const program = load()
    const found = verdict(program, { response })
    assert.equal(found.stopped, '959100 403')
    assert.equal(found.scores, 'in 0 of 0, out 5')
  })

  it('only reports findings when the engine detects only', () => {
    const { stopped, ids, scores } = verdict(load('ctl:ruleEngine=DetectionOnly'), attack)
    assert.equal(stopped, undefined)
    assert.ok(ids.includes(942190) && ids.includes(949110) && ids.includes(980170), String(ids))
    assert.match(scores ?? '', /^in [1-9]/)
  })

  it('skips requests outside its sample, from that rule on in every phase', () => {
    const none = verdict(load('setvar:tx.sampling_percentage=0'), attack)
    assert.equal(none.stopped, undefined)
    assert.ok(
      none.ids.every(id => id === 901450),
      String(none.ids),
    )
    assert.equal(verdict(load('setvar:tx.sampling_percentage=100'), attack).stopped, '949110 403')
  })

  it('lets a local health check pass without a protocol', () => {
    const program = load('setvar:tx.blocking_paranoia_level=4')
    const health = { protocol: '', headers: [] }
    assert.deepEqual(verdict(program, { ...health, clientIp: '127.0.0.1' }).ids, [])
    assert.deepEqual(verdict(program, { ...health, clientIp: '::1' }).ids, [])
    assert.notDeepEqual(verdict(program, { ...health, clientIp: '192.0.2.1' }).ids, [])
  })

  it('inspects bodies of unknown types', () => {
    const body = '<?php system("x");'
    const request = {
      method: 'POST',
      body,
      headers: [...usual, ['Content-Type', 'text/plain'], ['Content-Length', String(body.length)]] as const,
    }
    const seen = load('', 'SecRule REQUEST_BODY "@contains php" "id:4,phase:2,pass,msg:body"')
    assert.ok(verdict(seen, request).ids.includes(4))
    const forced = load(
      'setvar:tx.enforce_bodyproc_urlencoded=1',
      'SecRule REQBODY_PROCESSOR "@streq URLENCODED" "id:4,phase:2,pass"',
    )
    assert.ok(verdict(forced, request).ids.includes(4))
  })

  it('accepts tuning before and after the rules', () => {
    const rows: readonly {
      name: string
      before?: string
      after?: string
      request: TestRequest
      stopped?: string
    }[] = [
      { name: 'none', request: attack, stopped: '949110 403' },
      { name: 'a target of all rules of a tag', before: tunings, request: { target: `/a${query}` } },
      {
        name: 'the same for another argument',
        before: tunings,
        request: { target: `/b${query}` },
        stopped: '949110 403',
      },
      { name: 'a range of rules', before: tunings, request: { target: `/range${query}` } },
      { name: 'rules at load', after: 'SecRuleRemoveById 942000-942999', request: attack },
      { name: 'rules of a tag at load', after: 'SecRuleRemoveByTag attack-sqli', request: attack },
      { name: 'a target at load', after: 'SecRuleUpdateTargetByTag OWASP_CRS "!ARGS:a"', request: attack },
      { name: 'an action at load', after: 'SecRuleUpdateActionById 949110 "pass"', request: attack },
      {
        name: 'a cookie of a rule above',
        after: 'SecRuleUpdateTargetById 942000-942999 "!REQUEST_COOKIES:/^_own/"',
        request: { headers: [...usual, ['Cookie', '_own_1=union select 1']] },
      },
      {
        name: 'another cookie',
        after: 'SecRuleUpdateTargetById 942000-942999 "!REQUEST_COOKIES:/^_own/"',
        request: { headers: [...usual, ['Cookie', 'other=union select 1']] },
        stopped: '949110 403',
      },
    ]
    for (const { name, before = '', after = '', request, stopped } of rows) {
      assert.equal(verdict(load('', before, after), request).stopped, stopped, name)
    }
  })
})

/** At run time, each for one path. */
const tunings = [
  ['/a', 'ctl:ruleRemoveTargetByTag=OWASP_CRS;ARGS:a'],
  ['/b', 'ctl:ruleRemoveTargetByTag=OWASP_CRS;ARGS:b'],
  ['/range', 'ctl:ruleRemoveById=942000-942999'],
]
  .map(
    ([path, control], at) =>
      `SecRule REQUEST_FILENAME "@streq ${path}" "id:${5 + at},phase:1,nolog,pass,t:none,${control}"`,
  )
  .join('\n')
