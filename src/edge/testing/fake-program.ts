import assert from 'node:assert/strict'
import type { ManagedExecution } from '../../rulesets/plan/plan.ts'
import type {
  Exception,
  Interruption,
  Program,
  ProgramRule,
  RuleMatch,
  Steps,
  Transaction,
  WafRequest,
} from '../../waf/types.ts'

/** A fake program that records its inputs. */
export interface FakeProgram extends Program {
  readonly calls: string[]
  readonly requests: WafRequest[]
  /** Header lines of the responses. */
  readonly answers: WafRequest['headers'][]
  /** Given to each request. */
  readonly exceptions: (readonly Exception[])[]
  /** Bodies given to phases 2 and 4. */
  readonly bodies: { readonly bytes: Buffer; readonly complete: boolean }[]
}

export interface FakeBehaviour {
  /** Points for a request whose body or target contains `attack`; 5 by default. */
  readonly score?: number
  /** Target of a match in the body; REQUEST_BODY by default. */
  readonly bodyTarget?: string
  readonly wantsRequestBody?: boolean
  readonly wantsResponseBody?: boolean
  readonly interruption?: Interruption
  /** Each phase yields this often before its work; 0 by default. */
  readonly slices?: number
  /** Each phase yields until this is false. */
  readonly busyWhile?: () => boolean
  /** The work budget is used up once phase 2 has run. */
  readonly overBudget?: boolean
  /** The phase in which the engine fails. */
  readonly failsIn?: Phase
  /** Inspected bytes of a request body; unlimited by default. */
  readonly requestBodyBytesMax?: number
}

export type Phase = 'requestHeaders' | 'requestBody' | 'responseHeaders' | 'responseBody' | 'logging'

function programRule(index: number, id: number, role: ProgramRule['role'], score: number): ProgramRule {
  return {
    index,
    id,
    phase: role === 'response' ? 4 : 2,
    role,
    message: `rule ${id}`,
    tags: ['attack-test'],
    paranoiaLevel: 1,
    score,
    source: 'fake.conf',
    line: 1,
    text: '',
  }
}

/** Rule 942100 matches requests that contain `attack`, rule 951100 responses that contain `leak`. */
export function fakeProgram(behaviour: FakeBehaviour = {}): FakeProgram {
  const score = behaviour.score ?? 5
  const rules = [programRule(0, 942100, 'request', score), programRule(1, 951100, 'response', score)]
  const calls: string[] = []
  const requests: WafRequest[] = []
  const answers: WafRequest['headers'][] = []
  const exceptions: (readonly Exception[])[] = []
  const bodies: { readonly bytes: Buffer; readonly complete: boolean }[] = []
  const begin = (request: WafRequest, _mask: unknown, excepted: readonly Exception[] = []): Transaction => {
    requests.push(request)
    exceptions.push(excepted)
    const matches: RuleMatch[] = []
    const parts: Buffer[] = []
    const match = (rule: ProgramRule, target: string, value: string) =>
      void matches.push({
        rule,
        target,
        value,
        message: `${rule.message}: ${value}`,
        get data() {
          assert.ok(dataIsReady, 'data takes long to read where it was not worked out')
          return `found ${value}`
        },
      })
    let dataIsReady = false
    const scoreOf = (role: string) =>
      matches.filter(m => m.rule.role === role).reduce((sum, m) => sum + m.rule.score, 0)
    let running: Phase | undefined
    function* phase(name: Phase, work: () => Interruption | undefined): Steps {
      assert.equal(running, undefined, `${name} begins while ${running} is under way`)
      running = name
      let throughout = false
      try {
        for (let slice = 0; slice < (behaviour.slices ?? 0); slice++) yield
        while (behaviour.busyWhile?.() === true) yield
        throughout = true
      } finally {
        running = undefined
        if (!throughout) calls.push(`${name} given up`)
      }
      calls.push(name)
      if (behaviour.failsIn === name) throw new Error('the engine fails')
      return work()
    }
    return {
      requestHeaders: () =>
        phase('requestHeaders', () => {
          if (request.target.includes('attack')) match(rules[0]!, 'REQUEST_URI', 'attack')
          return behaviour.interruption
        }),
      wantsRequestBody: behaviour.wantsRequestBody ?? true,
      get requestBodyCut() {
        return bodies.at(-1)?.complete === false
      },
      requestBodyBytesMax: behaviour.requestBodyBytesMax ?? Infinity,
      addRequestBody: part => void parts.push(Buffer.from(part)),
      requestBody: complete =>
        phase('requestBody', () => {
          const bytes = Buffer.concat(parts)
          bodies.push({ bytes, complete })
          if (bytes.includes('attack')) match(rules[0]!, behaviour.bodyTarget ?? 'REQUEST_BODY', 'attack')
          return undefined
        }),
      responseHeaders: (_status, _protocol, headers) =>
        phase('responseHeaders', () => {
          answers.push(headers)
          return undefined
        }),
      wantsResponseBody: behaviour.wantsResponseBody ?? true,
      responseBody: (body, complete) =>
        phase('responseBody', () => {
          bodies.push({ bytes: Buffer.from(body), complete })
          if (Buffer.from(body).includes('leak')) match(rules[1]!, 'RESPONSE_BODY', 'leak')
          return undefined
        }),
      logging: () => phase('logging', () => undefined),
      matches,
      *workOutData() {
        for (let slice = 0; slice < (behaviour.slices ?? 0); slice++) yield
        dataIsReady = true
      },
      get requestScore() {
        return scoreOf('request')
      },
      get responseScore() {
        return scoreOf('response')
      },
      get overBudget() {
        return behaviour.overBudget === true && calls.includes('requestBody')
      },
      workShare: 0,
    }
  }
  return {
    rules,
    mask: () => ({ enabled: new Uint8Array(1) }),
    begin,
    rehearse: begin,
    observe: request => begin(request, undefined),
    exception: () => assert.fail('exceptions are made when a plan is built'),
    inspect: () => assert.fail('the edge runs the phases itself'),
    calls,
    requests,
    answers,
    exceptions,
    bodies,
  }
}

/** Blocks at 5 points unless told otherwise. */
export function execution(program: Program, parts: Partial<ManagedExecution> = {}): ManagedExecution {
  const mask = program.mask(() => false)
  return {
    kind: 'execute',
    rulesetId: 'managed-1',
    rulesetVersion: '7',
    program,
    mask,
    threshold: 5,
    action: 'block',
    lastRuleId: 'last-rule',
    acts: true,
    ruleIds: ['id-of-942100', 'id-of-951100'],
    exceptions: new Map(),
    everyLevel: { mask, levels: Uint8Array.of(1, 0), isOwn: true },
    ...parts,
  }
}
