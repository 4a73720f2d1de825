import type { Random } from './outcomes.ts'
import { pick } from './random-requests.ts'
import type { TestRequest } from './requests.ts'

/**
 * Small reproducible programs, and requests that nearly match their rules. Each rule affects the next ones, by
 * variables, jumps, removals and verdicts.
 */

/** Texts in rules and requests. Free of signs with a meaning in a pattern or in an action list. */
const words = 'evil select union abcabc script xx passwd cat 0x41 aaaa zz9 q'.split(' ')
const bytes = ['x', ';', '<', '\xe9', '~']
/** Variables that rules set; a pattern also selects those of `h_`. */
const variables = ['a', 'b', 'c', 'd', 'h_a', 'h_b']

const patterns: readonly ((random: Random) => string)[] = [
  random => pick(words, random),
  random => `${pick(words, random)}.*${pick(words, random)}`,
  random => `(?i)${pick(words, random)}|${pick(words, random)}`,
  random => `^${pick(words, random)}$`,
  random => `^[a-z]{${1 + random(4)}}$`,
  random => `(${pick(words, random)})\\s*(${pick(words, random)})?`,
  random => `\\b${pick(words, random)}\\b`,
  random => `[${pick(bytes, random)}${pick(bytes, random)}]`,
  random => `${pick(words, random)}[<;~]`,
  () => '[^a-z0-9 ]',
  random => `(?:${pick(words, random)}|${pick(bytes, random)})+?.`,
  () => '^$',
  () => '.',
]

const operators: readonly ((random: Random) => string)[] = [
  random => `@rx ${pick(patterns, random)(random)}`,
  random => `@rx ${pick(patterns, random)(random)}`,
  random => `@contains ${pick(words, random)}`,
  random => `@beginsWith ${pick(words, random)}`,
  random => `@endsWith ${pick(words, random)}`,
  random => `@containsWord ${pick(words, random)}`,
  random => `@streq ${pick(words, random)}`,
  random => `@strmatch ${pick(words, random)}`,
  random => `@within ${pick(words, random)} ${pick(words, random)}`,
  random => `@pm ${pick(words, random)} ${pick(words, random)} ${pick(bytes, random)}`,
  random => `@pm ${pick(words, random)} ${pick(words, random)}`,
  random => `@gt ${random(4)}`,
  random => `@eq ${random(4)}`,
  () => '@validateByteRange 32-126',
  () => '@validateUrlEncoding',
  () => '@detectSQLi',
  () => '@detectXSS',
  random => `@streq %{tx.${pick(variables, random)}}`,
  () => '@unconditionalMatch',
]

const transformations =
  `lowercase urlDecode urlDecodeUni htmlEntityDecode jsDecode cssDecode base64Decode base64DecodeExt
  hexDecode removeNulls removeWhitespace compressWhitespace replaceComments removeComments normalizePath cmdLine trim
  uppercase utf8toUnicode length base64Encode hexEncode urlEncode sqlHexDecode escapeSeqDecode replaceNulls
  phpArgsNames sha1`.split(/\s+/)

/** By phase: targets of its rules. Some have no values yet in that phase. */
const targets: readonly (readonly string[])[] = [
  `ARGS ARGS:a ARGS:/^a/ ARGS|!ARGS:b ARGS_NAMES ARGS_GET REQUEST_HEADERS REQUEST_HEADERS:X-A REQUEST_COOKIES
   REQUEST_URI REQUEST_FILENAME REQUEST_BASENAME QUERY_STRING|ARGS REQUEST_METHOD REQUEST_HEADERS|!REQUEST_HEADERS:/^x-/ &ARGS &ARGS:a RESPONSE_STATUS
   OUTBOUND_DATA_ERROR RESPONSE_CONTENT_TYPE`.split(/\s+/),
  `ARGS ARGS ARGS:a ARGS:b|REQUEST_COOKIES ARGS_POST ARGS|!ARGS:/b/ ARGS_NAMES REQUEST_BODY &ARGS_POST
   REQUEST_HEADERS REQUEST_FILENAME|REQUEST_BASENAME ARGS_GET|ARGS_POST REQBODY_ERROR FILES XML:/* REQUEST_BODY_LENGTH REQBODY_PROCESSOR
   RESPONSE_CONTENT_TYPE`.split(/\s+/),
  'RESPONSE_HEADERS RESPONSE_STATUS RESPONSE_CONTENT_TYPE ARGS RESPONSE_BODY OUTBOUND_DATA_ERROR'.split(' '),
  'RESPONSE_BODY RESPONSE_BODY|ARGS RESPONSE_HEADERS OUTBOUND_DATA_ERROR'.split(' '),
  'RESPONSE_BODY ARGS RESPONSE_STATUS REQUEST_URI'.split(' '),
]

const state = variables.map(name => `%{tx.${name}}`).join(' ')

/** Rules that test the request: targets, transformations, and effects. */
function requestRule(id: number, phase: number, random: Random, chained: string): string {
  const steps = Array.from({ length: random(4) }, () => `t:${pick(transformations, random)}`)
  const negation = random(6) === 0 ? '!' : ''
  const actions = [
    ...head(id, phase, chained),
    ...steps,
    ...(random(6) === 0 ? ['multiMatch'] : []),
    ...(random(4) === 0 ? ['capture'] : []),
    ...(random(3) === 0 ? [`setvar:tx.${setting(random)}`] : []),
    ...(random(3) === 0 || chained !== ''
      ? []
      : ['nolog', `msg:'%{MATCHED_VAR_NAME} %{tx.0} ${state}'`].slice(random(2))),
    ...(random(3) === 0 ? ["logdata:'%{MATCHED_VAR} %{tx.0} %{tx.1} %{tx.2}'"] : []),
    ...(chained === '' ? outcome(id, random) : []),
  ]
  return rule(`${pick(targets[phase - 1]!, random)} "${negation}${pick(operators, random)(random)}"`, actions)
}

function outcome(id: number, random: Random): string[] {
  const choices = [
    ['pass'],
    ['pass', 'severity:CRITICAL', `tag:'paranoia-level/${1 + random(4)}'`],
    ['pass', `skipAfter:END${random(3)}`],
    ['pass', `skip:${1 + random(3)}`],
    ['pass', control(id, random)],
    ['pass', control(id, random)],
    [
      pick(
        ['deny', 'deny,status:406', 'allow', 'allow:phase', 'allow:request', "redirect:'/%{tx.a}'"],
        random,
      ),
    ],
  ]
  return pick(choices, random)
}

function control(id: number, random: Random): string {
  const other = Math.max(1, id - 6 + random(14))
  return pick(
    [
      `ctl:ruleRemoveById=${other}`,
      `ctl:ruleRemoveById=${other}-${other + 3}`,
      `ctl:ruleRemoveTargetById=${other}-${other + 3};ARGS:a`,
      `ctl:ruleRemoveTargetById=${other}-${other + 3};TX:${pick(variables, random)}`,
      `ctl:ruleRemoveTargetByTag=paranoia;ARGS`,
      'ctl:ruleRemoveByTag=paranoia-level/2',
      'ctl:ruleRemoveByTag=folds',
      `ctl:ruleEngine=${pick(['On', 'Off', 'DetectionOnly'], random)}`,
      'ctl:forceRequestBodyVariable=On',
      'ctl:requestBodyProcessor=JSON',
    ],
    random,
  )
}

/** `a=1`, `b=+2`, `c=%{tx.a}`, … Names in either case. */
function setting(random: Random): string {
  const name = pick(variables, random)
  const cased = random(6) === 0 ? name.toUpperCase() : name
  return `${cased}=${pick(['0', '1', '2', '+1', '-1', 'evil', `%{tx.${pick(variables, random)}}`], random)}`
}

/** Rules that only read TX, like most of a large rule set's machinery. */
function txRule(id: number, phase: number, random: Random, chained: string): string {
  const name = pick(variables, random)
  const effects = [
    `setvar:tx.${setting(random)}`,
    `setvar:tx.${setting(random)},setvar:tx.${setting(random)}`,
    `setvar:!tx.${name}`,
    `skipAfter:END${random(3)}`,
    `skip:${1 + random(2)}`,
    'pass',
    `setvar:tx.${random(3)}=set`,
  ]
  const effect = pick(effects, random)
  const isOfRule = !effect.startsWith('setvar')
  const actions = [...head(id, phase, chained), 'tag:folds', ...(isOfRule && chained !== '' ? [] : [effect])]
  if (chained === '') actions.push(random(8) === 0 ? `msg:'${state} %{tx.0}'` : 'nolog')
  const tests = [
    `TX:${name} "@ge ${random(3)}"`,
    `TX:${name} "!@eq ${random(3)}"`,
    `&TX:${name} "@eq ${random(2)}"`,
    `TX:${name} "@streq %{tx.${pick(variables, random)}}"`,
    `TX:${name}|TX:${pick(variables, random)} "@lt 2"`,
  ]
  return random(3) === 0 && chained === ''
    ? `SecAction "${actions.join(',')}"`
    : rule(pick(tests, random), actions)
}

/** Rules that show the effects of earlier ones: variables, captures, the last match. A program has those of one row. */
const telling: readonly (readonly string[])[] = [
  [`SecAction "HEAD,msg:'${state} %{tx.0} %{tx.1}'"`],
  [`SecAction "HEAD,msg:'${state}'"`, 'SecRule &TX:/^h_/ "@eq 2" "HEAD"', 'SecRule &TX "@gt 2" "HEAD"'],
  [`SecRule TX:0 "@rx ." "HEAD,msg:'%{MATCHED_VAR}'"`, 'SecRule &TX:1 "@eq 0" "HEAD"'],
  [
    `SecRule TX:/^h_/ "@unconditionalMatch" "HEAD,msg:'%{MATCHED_VAR_NAME}',setvar:'tx.b=%{tx.b}%{MATCHED_VAR_NAME}'"`,
  ],
  [
    `SecRule TX:/^x|^h_b|d/ "@ge 1" "HEAD,msg:'%{MATCHED_VAR_NAME}'"`,
    'SecRule &TX:/^[abc]?$/ "@ge 2" "HEAD"',
  ],
  [`SecRule TX "@ge 1" "HEAD,msg:'%{MATCHED_VAR_NAME}'"`],
  [
    `SecAction "HEAD,msg:'%{MATCHED_VAR_NAME}=%{MATCHED_VAR}'"`,
    `SecRule MATCHED_VAR "@rx ." "HEAD,msg:'%{MATCHED_VAR}'"`,
    'SecRule ARGS "@contains %{MATCHED_VAR}" "HEAD"',
  ],
]

/** A chained link has no id and no phase. */
function head(id: number, phase: number, chained: string): string[] {
  return chained === 'link' ? [] : [`id:${id}`, `phase:${phase}`, ...(chained === 'head' ? ['chain'] : [])]
}

function rule(test: string, actions: readonly string[]): string {
  const list = actions.length === 0 ? '' : ` "${actions.join(',')}"`
  return `SecRule ${test}${list}`
}

function randomRule(id: number, random: Random, tells: readonly string[]): string {
  const phase = pick([1, 1, 1, 2, 2, 2, 3, 4, 5], random)
  const kind = random(10)
  if (kind === 0) return pick(tells, random).replace('HEAD', `id:${id},phase:${phase}`)
  const made = kind < 6 ? txRule : requestRule
  if (random(8) > 0) return made(id, phase, random, '')
  const link = random(2) === 0 ? txRule : requestRule
  const flow = random(3) === 0 ? `,skipAfter:END${random(3)}` : ''
  const first = made(id, phase, random, 'head').replace(/"$/, `,nolog${flow}"`)
  return `${first}\n${link(id, phase, random, 'link')}`
}

/** A program of up to three dozen rules. */
export function randomRules(random: Random): string {
  const lines: string[] = []
  if (random(5) === 0) lines.push('SecRuleEngine DetectionOnly')
  if (random(8) === 0) lines.push('SecRequestBodyAccess Off')
  lines.push('SecResponseBodyAccess On')
  const count = 4 + random(32)
  const tells = pick(telling, random)
  for (let id = 1; id <= count; id++) {
    lines.push(randomRule(id, random, tells))
    if (random(6) === 0) lines.push(`SecMarker END${random(3)}`)
  }
  lines.push(`SecAction "id:${count + 1},phase:5,msg:'${state} %{tx.0} %{tx.1}'"`)
  return lines.join('\n')
}

const encodings: readonly ((text: string) => string)[] = [
  text => text.toUpperCase(),
  text => `${text[0]?.toUpperCase()}${text.slice(1)}`,
  text => Buffer.from(text, 'latin1').toString('base64'),
  text => Buffer.from(text, 'latin1').toString('hex'),
  text => `0x${Buffer.from(text, 'latin1').toString('hex')}`,
  text => Array.from(text, byte => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`).join(''),
  text => Array.from(text, byte => `&#${byte.charCodeAt(0)};`).join(''),
  text => Array.from(text, byte => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`).join(''),
  text => text.split('').join('\0'),
  text => text.split('').join(' '),
  text => text.split('').join('\\'),
  text => `${text.slice(0, 2)}/**/${text.slice(2)}`,
  text => ` ${text} `,
  text => text.slice(1),
]

/** Words of rules, in every disguise that some transformation removes. */
export function randomText(random: Random): string {
  let text = ''
  for (let parts = random(4); parts > 0; parts--) {
    const word = random(5) === 0 ? pick(bytes, random) : pick(words, random)
    text += random(2) === 0 ? word : pick(encodings, random)(word)
    text += pick(['', '', ' ', ';', '<', '\xe9', '/', '\0', '1'], random)
  }
  return text
}

/** A request that may match rules of `randomRules`. */
export function randomMatch(random: Random): TestRequest {
  const inUrl = (text: string): string =>
    Array.from(text, byte =>
      /\w/.test(byte) ? byte : `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`,
    ).join('')
  const pairs = (): string =>
    Array.from(
      { length: random(4) },
      () => `${pick(['a', 'b', 'ab', 'A'], random)}=${inUrl(randomText(random))}`,
    ).join('&')
  const type = pick(
    ['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded', 'application/json', ''],
    random,
  )
  const headers: (readonly [string, string])[] = [['Host', 'example.com']]
  if (type !== '') headers.push(['Content-Type', type])
  if (random(2) === 0) headers.push(['X-A', randomText(random)])
  if (random(3) === 0) headers.push(['Cookie', `a=${randomText(random)}; q=1`])
  return {
    method: random(3) === 0 ? 'POST' : 'GET',
    target: `/${random(4) === 0 ? randomText(random) : ''}?${pairs()}`,
    headers,
    body: random(3) === 0 ? '' : type.endsWith('json') ? JSON.stringify({ a: randomText(random) }) : pairs(),
    response: {
      headers: [
        ['Content-Type', pick(['text/html', 'image/png'], random)],
        ['X-A', randomText(random)],
      ],
      body: randomText(random),
    },
  }
}
