import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Phase, phases, type RulesetKind } from '../../model/resource.ts'
import { checked } from '../reading.ts'
import { accepted, problemOf } from '../testing/documents.ts'
import { checkPhase, requireAction, requireKind } from './availability.ts'

/** Every action of Cloudflare's rulesets, and one that it has not. */
const actions =
  'block challenge compress_response ddos_dynamic execute force_connection_close js_challenge log log_custom_field managed_challenge redirect rewrite route score serve_error set_cache_control set_cache_settings set_cache_tags set_config skip transform_response_html allow'.split(
    ' ',
  )
const answers = ['block', 'challenge', 'js_challenge', 'log', 'managed_challenge']

test('actions by phase and kind', () => {
  const transforms: Partial<Record<Phase, string>> = {
    http_request_sanitize: 'execute',
    http_request_dynamic_redirect: 'redirect',
    http_request_transform: 'rewrite',
    http_config_settings: 'set_config',
    http_request_origin: 'route',
    http_request_late_transform: 'rewrite',
    http_custom_errors: 'serve_error',
    http_response_headers_transform: 'rewrite',
    http_response_compression: 'compress_response',
  }
  const wanted = (phase: Phase, kind: RulesetKind): readonly string[] => {
    const transform = transforms[phase]
    if (transform !== undefined) return kind === 'custom' ? [] : [transform]
    if (phase === 'http_request_redirect') return kind === 'root' ? ['redirect'] : []
    if (phase === 'http_log_custom_fields') return kind === 'zone' ? ['log_custom_field'] : []
    const managed = phase.endsWith('_managed')
    const own = managed || (phase === 'http_request_firewall_custom' && kind === 'root') ? [] : answers
    return [...own, 'skip', ...(kind === 'custom' ? [] : ['execute'])]
  }
  for (const phase of phases) {
    for (const kind of ['zone', 'root', 'custom'] as const) {
      const possible = actions.filter(
        action => checked(() => requireAction(action, { kind, phase }, '/action')).ok,
      )
      assert.deepEqual(possible, wanted(phase, kind).toSorted(), `${phase} ${kind}`)
      assert.equal(checked(() => requireKind({ kind, phase }, '/phase')).ok, possible.length > 0)
    }
  }
})

test('why an action is refused', () => {
  const refused = (action: string, kind: RulesetKind, phase: Phase) =>
    problemOf(checked(() => requireAction(action, { kind, phase }, '/action')))
  assert.equal(refused('allow', 'zone', 'http_ratelimit').message, 'unknown variant for action: allow')
  assert.equal(refused('constructor', 'zone', 'http_ratelimit').code, 20204)
  assert.match(
    refused('score', 'zone', 'http_request_firewall_custom').message,
    /given by the rules of the managed/,
  )
  assert.equal(refused('set_cache_settings', 'zone', 'http_ratelimit').code, 20206)
  assert.equal(refused('execute', 'custom', 'http_ratelimit').code, 20016)
})

test('phases of Cloudflare', () => {
  const others =
    'ddos_l4 ddos_l7 http_request_cache_settings http_request_sbfm http_response_cache_settings magic_transit magic_transit_ids_managed magic_transit_managed magic_transit_ratelimit http_request_api_gateway_early http_request_api_gateway_late http_request_snippets http_request_cloud_connector'
  for (const phase of phases) assert.equal(accepted(checkPhase(phase)), phase)
  for (const name of others.split(' ')) {
    const problem = problemOf(checkPhase(name, '/phase'))
    assert.deepEqual([problem.code, problem.pointer], [20206, '/phase'])
    assert.match(problem.message, /it has no meaning on a self-hosted edge: ./)
  }
  assert.equal(problemOf(checkPhase('toString')).code, 20203)
})
