import {
  block,
  type Case,
  custom,
  Exactly,
  entryPoint,
  execute,
  limits,
  managed,
  owasp,
  type Request,
  zoneRules,
} from '../case.ts'

const rulesets = '/zones/<zone>/rulesets'
const path = `${rulesets}/<ruleset>`
const kept = (refs: string) => ({ rules: [...refs].map(ref => ({ ref, id: `<${ref}>` })) })
const putRefs = (name: string, refs: string, result: object): Case => ({
  name,
  given: [zoneRules('a', 'b', 'c')],
  request: ['PUT', path, { rules: [...refs].map(ref => block(ref)) }],
  result,
})

const identity: readonly Case[] = [
  putRefs('9.1 ids survive an append', 'abcz', { rules: [...kept('abc').rules, { ref: 'z' }] }),
  putRefs('9.1 ids survive a prepend', 'zabc', { rules: [{ ref: 'z' }, ...kept('abc').rules] }),
  putRefs('9.1 ids survive the removal of a neighbour', 'ac', kept('ac')),
  putRefs('9.1 ids survive a reversal', 'cba', kept('cba')),
  putRefs('9.1 ids survive a truncation', 'a', kept('a')),
  {
    name: '9.1 the computed ref that is sent back keeps the id',
    given: [['PUT', entryPoint(custom), { rules: [{ action: 'block', expression: 'true' }] }]],
    request: ['PUT', path, { rules: [{ action: 'log', expression: 'true', ref: '<rule1>' }] }],
    result: { rules: [{ id: '<rule1>', ref: '<rule1>', version: '2' }] },
  },
  {
    name: '9.1 another ref is another rule',
    given: [zoneRules('a')],
    request: ['PUT', path, { rules: [block('a', { ref: 'b' })] }],
    result: { rules: [{ ref: 'b', version: '1', id: /^(?!<a>)/ }] },
  },
]

const terraformRule = (more: object = {}) => ({
  action: 'block',
  expression: 'true',
  enabled: true,
  action_parameters: {},
  ...more,
})
const terraform = (rules: readonly object[]) => ({
  kind: 'zone',
  name: 'tf',
  phase: custom,
  description: '',
  rules,
})
const made: Request = ['POST', rulesets, terraform([terraformRule({ ref: 'a' })])]

const versions: readonly Case[] = [
  { name: '9.2 version 1 after POST', request: made, result: { version: '1' } },
  {
    name: '9.2 version 2 after PUT',
    given: [made],
    request: ['PUT', path, terraform([terraformRule({ ref: 'a', action: 'log' })])],
    result: { version: '2', rules: [{ version: '2' }] },
  },
  {
    name: '9.2 a PUT of the same is a new version of the ruleset and of no rule',
    given: [made],
    request: ['PUT', path, terraform([terraformRule({ ref: 'a' })])],
    result: { version: '2', rules: [{ id: '<a>', version: '1' }] },
  },
  {
    name: '9.2 a description alone is a new version',
    given: [made],
    request: ['PUT', path, { description: 'x' }],
    result: { version: '2', rules: [{ version: '1' }] },
  },
]

const provider: readonly Case[] = [
  {
    name: '9.3 create: empty parameters come back',
    request: made,
    result: { rules: [{ action_parameters: new Exactly({}), enabled: true, ref: 'a' }] },
  },
  {
    name: '9.3 create without rules',
    request: ['POST', rulesets, terraform([])],
    result: { description: '', rules: [] },
  },
  {
    name: '9.3 update: unset members are null',
    given: [made],
    request: [
      'PUT',
      path,
      terraform([terraformRule({ ref: 'a', description: null, logging: null, ratelimit: null })]),
    ],
    result: { rules: [{ description: undefined, logging: undefined, ratelimit: undefined }] },
  },
  {
    name: '9.3 read of a deleted object',
    given: [made, ['DELETE', path]],
    request: ['GET', path],
    status: 404,
  },
  {
    name: '9.3 false defaults that clients send are kept',
    request: [
      'PUT',
      entryPoint(limits),
      {
        rules: [
          {
            action: 'block',
            expression: 'true',
            ratelimit: {
              characteristics: ['ip.src'],
              period: 60,
              requests_per_period: 1,
              requests_to_origin: false,
            },
          },
        ],
      },
    ],
    result: { rules: [{ ratelimit: { requests_to_origin: false } }] },
  },
  {
    name: '9.4 v4: POST with rules that are null',
    request: ['POST', rulesets, { kind: 'zone', name: 'x', phase: managed, description: 'd', rules: null }],
    result: { rules: [] },
  },
  {
    name: '9.4 v4: PUT of the entry point after POST',
    given: [['POST', rulesets, { kind: 'zone', name: 'x', phase: managed, rules: [execute()] }]],
    request: ['PUT', entryPoint(managed), { description: '', rules: [execute()] }],
    result: { id: '<ruleset>', name: 'x', version: '2' },
  },
  {
    name: '9.4 v4: update with id and ref',
    given: [made],
    request: [
      'PUT',
      path,
      { description: '', rules: [{ id: '<a>', ref: 'a', action: 'log', expression: 'true' }] },
    ],
    result: { rules: [{ id: '<a>', ref: 'a', version: '2' }] },
  },
  {
    name: '9.4 v4: an empty entry point with a description is in the way',
    given: [['PUT', entryPoint(managed), { description: 'there', rules: [] }]],
    request: ['POST', rulesets, { kind: 'zone', name: 'x', phase: managed }],
    status: 400,
    error: [20217, /./, '/kind'],
  },
  {
    name: '9.4 go v0: rules with the members of a read',
    given: [['PUT', entryPoint(managed), { rules: [execute()] }]],
    request: [
      'PUT',
      entryPoint(managed),
      {
        rules: [
          {
            id: '<rule1>',
            ref: '<rule1>',
            version: '1',
            last_updated: '2026-01-01T00:00:00Z',
            enabled: true,
            ...execute(),
          },
        ],
      },
    ],
    result: { rules: [{ id: '<rule1>', version: '1', action_parameters: { id: owasp } }] },
  },
]

const small: readonly Case[] = [
  {
    name: '9.6 an entry point is the same by phase and by id',
    given: [zoneRules('a')],
    request: ['GET', path],
    result: { id: '<ruleset>', kind: 'zone', phase: custom, rules: [{ id: '<a>' }] },
  },
  {
    name: '9.6 custom rulesets: several in one phase',
    given: [['POST', rulesets, { kind: 'custom', name: 'one', phase: custom }]],
    request: ['POST', rulesets, { kind: 'custom', name: 'two', phase: custom }],
    result: { name: 'two' },
  },
  {
    name: '9.6 a custom ruleset is no entry point',
    given: [['POST', rulesets, { kind: 'custom', name: 'one', phase: custom }]],
    request: ['GET', entryPoint(custom)],
    status: 404,
    error: [10003, /entrypoint/],
  },
  {
    name: '9.6 an entry point after it was deleted',
    given: [zoneRules('a'), ['DELETE', path]],
    request: ['GET', entryPoint(custom)],
    status: 404,
    error: [10003, `could not find entrypoint ruleset in the ${custom} phase`],
  },
  {
    name: '9.6 a new entry point after it was deleted begins at version 1',
    given: [zoneRules('a'), ['DELETE', path]],
    request: ['POST', rulesets, { kind: 'zone', name: 'again', phase: custom }],
    result: { version: '1', id: /^(?!<ruleset>)/ },
  },
]

export const clientCases: readonly Case[] = [...identity, ...versions, ...provider, ...small]
